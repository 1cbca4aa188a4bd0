import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findCycles } from './architecture/find-cycles.ts';
import { importRules } from './architecture/import-rules.ts';
import { readModules } from './architecture/read-modules.ts';

const modules = readModules();

test.each(importRules)('imports of $files follow the rule "$rule"', ({ files, only, never = [], withTypes }) => {
  const concerned = modules.filter(({ path }) => files.test(path));
  const imports = concerned.flatMap(({ path, imports, importsWithTypes }) =>
    (withTypes ? importsWithTypes : imports).map((imported) => ({ path, imported })),
  );
  const refused = imports.filter(
    ({ imported }) => !(only ?? [/./]).some((each) => each.test(imported)) || never.some((each) => each.test(imported)),
  );

  expect(concerned).not.toEqual([]);
  expect(refused.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
});

test('no imports by value form a cycle', () => {
  expect(findCycles(new Map(modules.map(({ path, imports }) => [path, imports])))).toEqual([]);
});

test('a cycle of imports, with those of types, has at most six files and is within one folder', () => {
  const cycles = findCycles(new Map(modules.map(({ path, importsWithTypes }) => [path, importsWithTypes])));
  const tooWide = cycles.filter((cycle) => cycle.length > 6 || new Set(cycle.map((path) => dirname(path))).size > 1);

  expect(tooWide).toEqual([]);
});

test('every import within the project resolves to a file', () => {
  const paths = new Set(modules.map(({ path }) => path));
  const local = modules.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported })));
  const lost = local.filter(({ imported }) => imported.endsWith('.ts') && !paths.has(imported));

  expect(lost.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
});

/** Code that starts programs passes the environment on. The main file of a program passes it to `loadConfig`. */
const readsEnvironment =
  /^(src\/(api|worker|reset-owner|rekey|replay|db\/migrate)\.ts$|tools\/simulator\/main\.ts$|tools\/(dev|demo)\/|test\/|scripts\/|bench\/)/;

test('only programs and tools read process.env, so that settings come from config.ts', () => {
  const readers = modules.filter(({ source }) => /\bprocess\.env\b/.test(source)).map(({ path }) => path);

  expect(readers.filter((path) => !readsEnvironment.test(path))).toEqual([]);
});

test('readModules finds imports by value and omits imports of types', () => {
  const imports = modules.find(({ path }) => path === 'workflows/activity-proxies.ts')?.imports;

  expect(imports).toContain('@temporalio/workflow');
  expect(imports?.filter((each) => each.startsWith('workflows/contract/'))).toEqual([]);
});

test('docs/operations.md names every setting', () => {
  const config = modules.find(({ path }) => path === 'src/config.ts')?.source ?? '';
  const settings = [...config.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]);
  const documented = readFileSync('docs/operations.md', 'utf8');

  expect(settings).toContain('MASTER_KEY');
  expect(settings.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});
