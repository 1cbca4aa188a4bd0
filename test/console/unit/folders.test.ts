import { posix } from 'node:path';
import { findCycles } from '../../architecture/find-cycles.ts';
import { readModules } from '../../architecture/read-modules.ts';

test('the folders of the console form no circle of imports, with those of types', () => {
  const folders = new Map<string, string[]>();
  for (const { path, importsWithTypes } of readModules()) {
    if (!path.startsWith('console/src/')) continue;
    const folder = posix.dirname(path);
    folders.set(folder, [
      ...(folders.get(folder) ?? []),
      ...importsWithTypes.map((imported) => posix.dirname(imported)),
    ]);
  }

  expect(folders.has('console/src/pages/jobs/list')).toBe(true);
  expect(findCycles(folders)).toEqual([]);
});
