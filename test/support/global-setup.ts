import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buildConsole, runScript } from '../../tools/dev/programs.ts';
import { runProgram } from '../../tools/dev/services/run-program.ts';
import { execute, urlOfDatabase } from './database.ts';
import { programArguments } from './program-arguments.ts';
import { type StartedServices, startServices } from './start-services.ts';

type JestConfig = { testPathPatterns: { patterns: string[] } };

/** Folders whose tests need no service. A run of these alone starts none. */
const pureFolders = ['test/domain', 'test/architecture', 'test/dev/'];

/** Once per run: the services, a migrated template to copy databases from, the workflow bundle; their addresses are passed on in TEST_* variables. */
export async function setup({ testPathPatterns: { patterns } }: JestConfig): Promise<void> {
  if (patterns.length > 0 && patterns.every((pattern) => pureFolders.some((folder) => pattern.includes(folder))))
    return;
  const services = await startServices();
  const template = `template_${randomBytes(4).toString('hex')}`;
  Object.assign(globalThis, {
    stopTestServices: async () => {
      // A server that the run did not start keeps no template.
      await execute(services.databaseUrl, `drop database if exists ${template} with (force)`).catch(() => undefined);
      await services.stop();
    },
  });
  const [templateDatabase, workflowBundle] = await Promise.all([
    migrate(services, template),
    bundleWorkflows(services),
    runProgram(process.execPath, programArguments('test/support/load-programs.ts'), { timeoutMs: 120_000 }),
    // Before any gateway starts: it reads the files of the console once, and a build replaces them.
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

async function bundleWorkflows(services: StartedServices): Promise<string> {
  const file = join(services.folder, 'workflows.js');
  return unlessItFails(() => runScript('scripts/bundle-workflows.ts', [file]), file);
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
