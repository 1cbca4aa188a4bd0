import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { findCycles } from './architecture/find-cycles.ts';
import { importRules, isOneOf } from './architecture/import-rules.ts';
import { readModules } from './architecture/read-modules.ts';

const modules = readModules();

test.each(importRules)('imports follow the rule "$rule"', ({ files, only, never = [], except = [], byValue }) => {
  const concerned = modules.filter(({ path }) => isOneOf(files, path));
  const imports = concerned.flatMap(({ path, imports, importsWithTypes }) =>
    (byValue ? imports : importsWithTypes).map((imported) => ({ path, imported })),
  );
  const refused = imports.filter(
    ({ imported }) => (only && !isOneOf(only, imported)) || (isOneOf(never, imported) && !isOneOf(except, imported)),
  );

  expect(refused.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
});

test('each file, folder and package that a rule of imports names exists', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const exists = (name: string): boolean =>
    name.startsWith('node:')
      ? name === 'node:' || isBuiltin(name)
      : [...modules.map(({ path }) => path), ...packages].some((each) => isOneOf([name], each));
  const named = importRules.flatMap(({ rule, files, only = [], never = [], except = [] }) =>
    [...files, ...only, ...never, ...except].map((name) => ({ rule, name })),
  );

  expect(named.filter(({ name }) => !exists(name))).toEqual([]);
});

test('no route opens a transaction: that is for a use case in src/services', () => {
  const routes = modules.filter(({ path }) => isOneOf(['src/http/api/', 'src/http/openai/'], path));

  expect(routes.length).toBeGreaterThan(100);
  expect(
    routes.filter(({ source }) => /\b(transaction|snapshot|entities)\(/.test(source)).map(({ path }) => path),
  ).toEqual([]);
});

test('no imports form a cycle of files, those of types included', () => {
  expect(findCycles(new Map(modules.map(({ path, importsWithTypes }) => [path, importsWithTypes])))).toEqual([]);
});

test('every import within the project resolves to a file', () => {
  const paths = new Set(modules.map(({ path }) => path));
  const local = modules.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported })));
  const lost = local.filter(({ imported }) => imported.endsWith('.ts') && !paths.has(imported));

  expect(lost.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
});

/**
 * Code that starts programs passes the environment on. The main file of a program passes it to `loadConfig`. The SDK of OpenTelemetry reads
 * its variables by itself.
 */
const readsEnvironment =
  /^(src\/(api|worker|reset-owner|rekey|replay|db\/migrate|tracing\/start-tracing|reconcile|doctor)\.ts$|tools\/simulator\/main\.ts$|tools\/(dev|demo)\/|test\/|scripts\/|bench\/)/;

test('only programs and tools read process.env, so that settings come from config.ts', () => {
  const readers = modules.filter(({ source }) => /\bprocess\.env\b/.test(source)).map(({ path }) => path);

  expect(readers.filter((path) => !readsEnvironment.test(path))).toEqual([]);
});

test('readModules finds imports by value and omits imports of types', () => {
  const imports = modules.find(({ path }) => path === 'workflows/activity-proxies.ts')?.imports;

  expect(imports).toContain('@temporalio/workflow');
  expect(imports?.filter((each) => each.startsWith('workflows/contract/'))).toEqual([]);
});

test.each(['docs/settings.md', '.env.example'])('%s names every setting', (page) => {
  const config = modules.find(({ path }) => path === 'src/config.ts')?.source ?? '';
  const settings = [...config.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]);
  const documented = readFileSync(page, 'utf8');

  expect(settings).toContain('MASTER_KEY');
  expect(settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(documented))).toEqual([]);
});
