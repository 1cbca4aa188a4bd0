import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole, bundleWorkflows, project, runScript } from '../../tools/dev/programs.ts';
import { runProgram } from '../../tools/dev/services/run-program.ts';
import { execute, urlOfDatabase } from './database.ts';
import { programArguments } from './program-arguments.ts';
import { type StartedServices, startServices } from './start-services.ts';

/** Part of Jest's configuration of a run. */
export type JestConfig = { testPathPatterns: { patterns: string[] }; watch?: boolean; watchAll?: boolean };

/** What the set-up leaves for the tear-down, which shares nothing else with it, and for the next run while Jest watches. */
export type LeftByRun = { services?: StartedServices; dropTemplate?: () => Promise<void> };

/** Folders whose tests need no service. A run of these alone starts none. */
const pureFolders = ['test/domain', 'test/architecture', 'test/dev/'];

const cache = join(project, '.cache');

/** Starts the services, a migrated template of databases and the workflow bundle once per run. TEST_* variables pass their addresses on. */
export async function setup({ testPathPatterns: { patterns } }: JestConfig): Promise<void> {
  if (patterns.length > 0 && patterns.every((pattern) => pureFolders.some((folder) => pattern.includes(folder))))
    return;
  const left = globalThis as LeftByRun;
  left.services ??= await startServices();
  const { services } = left;
  const template = `template_${randomBytes(4).toString('hex')}`;
  // A server that the run did not start keeps no template.
  left.dropTemplate = () =>
    execute(services.databaseUrl, `drop database if exists ${template} with (force)`).catch(() => undefined);
  const [templateDatabase, workflowBundle] = await Promise.all([
    migrate(services, template),
    bundleForRun(services),
    runProgram(process.execPath, programArguments('test/support/load-programs.ts'), { timeoutMs: 120_000 }),
    // The console is built before any gateway starts: it reads the files once, and a build replaces them.
    unlessItFails(buildConsole, ''),
  ]);
  Object.assign(process.env, {
    TEST_ADMIN_DATABASE_URL: services.databaseUrl,
    TEST_TEMPLATE_DATABASE: templateDatabase,
    TEST_REDIS_URL: services.redisUrl,
    TEST_TEMPORAL_ADDRESS: services.temporalAddress,
    TEST_TEMPORAL_NAMESPACE: process.env.TEMPORAL_NAMESPACE || 'default',
    TEST_WORKFLOW_BUNDLE: workflowBundle,
  });
}

export { setup as default };

async function migrate(services: StartedServices, template: string): Promise<string> {
  await execute(services.databaseUrl, `create database ${template}`);
  const env = { DATABASE_URL: urlOfDatabase(services.databaseUrl, template) };
  return unlessItFails(() => runScript('src/db/migrate.ts', [], env), template);
}

/** A copy for this run: another run with other sources replaces what is cached. */
async function bundleForRun(services: StartedServices): Promise<string> {
  const file = join(services.folder, 'workflows.js');
  mkdirSync(cache, { recursive: true });
  return unlessItFails(async () => copyFileSync(await bundleWorkflows(cache), file), file);
}

/** A failure is printed and fails the tests that need the outcome. The other tests run. */
async function unlessItFails(step: () => Promise<void>, outcome: string): Promise<string> {
  try {
    await step();
    return outcome;
  } catch (error) {
    process.stderr.write(`\n${(error as Error).message}\nEvery test that needs it fails too.\n`);
    return '';
  }
}
