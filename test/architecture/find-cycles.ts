import type { Module } from './read-modules.ts';

/** Every file that, by way of what it imports, needs itself: the way round, once for each cycle's first file. */
export function findCycles(modules: Module[]): string[][] {
  const importsOf = new Map(modules.map(({ path, imports }) => [path, imports]));
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) {
      cycles.push([...way.slice(way.indexOf(path)), path]);
      return;
    }
    if (finished.has(path)) return;
    for (const next of importsOf.get(path) ?? []) visit(next, [...way, path]);
    finished.add(path);
  };
  for (const { path } of modules) visit(path, []);
  return cycles;
}
