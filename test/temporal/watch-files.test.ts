import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFiles } from '../../src/temporal/connection/watch-files.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'job-gateway-files-'));
const file = join(folder, 'key');
afterAll(() => rmSync(folder, { recursive: true }));

test('a changed file is reported until the report succeeds, also when the file was replaced or missing for a while', async () => {
  let reports = 0;
  writeFileSync(file, 'one');
  const watch = watchFiles(
    [file],
    async () => {
      reports += 1;
      if (reports === 1) throw new Error('not accepted');
    },
    5,
  );
  await watch.first;
  expect(reports).toBe(0);

  rmSync(file);
  writeFileSync(join(folder, 'next'), 'two');
  renameSync(join(folder, 'next'), file);

  await until(() => reports === 2);
  writeFileSync(file, 'three');
  await until(() => reports === 3);
  await watch.close();
});
