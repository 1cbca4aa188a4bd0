import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findCycles } from './architecture/find-cycles.ts';
import { importRules } from './architecture/import-rules.ts';
import { readModules } from './architecture/read-modules.ts';

const modules = readModules();

test.each(importRules)('$rule: $files', ({ files, only, never = [] }) => {
  const concerned = modules.filter(({ path }) => files.test(path));
  const imports = concerned.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported })));
  const refused = imports.filter(
    ({ imported }) => !(only ?? [/./]).some((each) => each.test(imported)) || never.some((each) => each.test(imported)),
  );

  expect(concerned).not.toEqual([]);
  expect(refused.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
});

test('no file needs itself by way of what it imports', () => {
  expect(findCycles(new Map(modules.map(({ path, imports }) => [path, imports])))).toEqual([]);
});

test('files whose types need each other are at most six, and in one folder', () => {
  const cycles = findCycles(new Map(modules.map(({ path, importsWithTypes }) => [path, importsWithTypes])));
  const tooWide = cycles.filter((cycle) => cycle.length > 6 || new Set(cycle.map((path) => dirname(path))).size > 1);

  expect(tooWide).toEqual([]);
});

test('every import within the project leads to a file', () => {
  const paths = new Set(modules.map(({ path }) => path));
  const local = modules.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported })));
  const lost = local.filter(({ imported }) => imported.endsWith('.ts') && !paths.has(imported));

  expect(lost.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
});

/** What starts programs passes the environment on; a program's first file hands it to `loadConfig`. */
const readsEnvironment =
  /^(src\/(api|worker|reset-owner|db\/migrate)\.ts$|tools\/simulator\/main\.ts$|tools\/dev\/|test\/|scripts\/|bench\/)/;

test('settings come from config.ts, which is given the environment once', () => {
  const readers = modules.filter(({ source }) => /\bprocess\.env\b/.test(source)).map(({ path }) => path);

  expect(readers.filter((path) => !readsEnvironment.test(path))).toEqual([]);
});

test('the reader of imports sees values and not types', () => {
  const imports = modules.find(({ path }) => path === 'workflows/activities.ts')?.imports;

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
