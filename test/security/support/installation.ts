import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { type Simulator, startSimulator } from '../../../src/simulator/simulator.ts';
import { cloneDatabase } from '../../support/database.ts';
import { services } from '../../support/services.ts';
import { until } from '../../support/until.ts';
import { type Program, startProgram } from './program.ts';

export type Settings = Record<string, string>;

export interface InstallationOptions {
  settings?: Settings;
  /** Without one nothing is carried out: enough where nothing starts a job. */
  worker?: boolean;
  /** `false`: a test starts each api itself, with settings of its own. */
  api?: boolean;
}

/** A gateway as it is installed: an api and a worker as processes of their own, a database and a task queue of its own. */
export interface Installation {
  /** Of the first api. */
  url: string;
  masterKey: string;
  api: Program;
  simulator: Simulator;
  databaseUrl: string;
  pool: Pool;
  /** Another api of the same installation. */
  startApi(settings?: Settings): Promise<Program>;
  close(): Promise<void>;
}

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { settings = {}, worker = true, api = true } = options;
  const closing = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-security-'));
  closing.defer(() => rmSync(folder, { recursive: true }));
  const upstreamKey = `sk-upstream-${randomBytes(8).toString('hex')}`;
  const [simulator, database] = await Promise.all([startSimulator({ masterKey: upstreamKey }), cloneDatabase()]);
  closing.defer(() => database.drop());
  closing.defer(() => simulator.close());
  const pool = new Pool({ connectionString: database.url, max: 2 });
  // The database is dropped under the last of them.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const environment: Settings = {
    ...plainSettings(),
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: simulator.url,
    UPSTREAM_MASTER_KEY: upstreamKey,
    ...settings,
  };
  if (worker) closing.defer(() => endWorkflows(environment.TEMPORAL_TASK_QUEUE!));
  let programs = 0;
  const start = async (kind: 'api' | 'worker', own: Settings = {}) => {
    programs += 1;
    const program = await startProgram(kind, join(folder, `${kind}-${programs}.log`), { ...environment, ...own });
    closing.defer(() => program.end());
    return program;
  };
  const installation = {
    url: '',
    masterKey: environment.MASTER_KEY!,
    simulator,
    databaseUrl: database.url,
    pool,
    startApi: (own?: Settings) => start('api', own),
    close: () => closing.disposeAsync(),
  };
  try {
    const started = await Promise.all([api ? start('api') : undefined, worker ? start('worker') : undefined]);
    const first = started[0] as Program;
    if (api && worker) await until(() => workerIsUp(first.url), Boolean, 60_000);
    return { ...installation, url: first?.url, api: first };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

/** Limits far above what a proof sends that is not about them. */
const plainSettings = (): Settings => ({
  MASTER_KEY: `master-${randomBytes(16).toString('hex')}`,
  PORT: '0',
  DATABASE_POOL_SIZE: '10',
  REDIS_URL: services.redisUrl,
  TEMPORAL_ADDRESS: services.temporalAddress,
  TEMPORAL_NAMESPACE: services.temporalNamespace,
  TEMPORAL_TASK_QUEUE: `security-${randomBytes(6).toString('hex')}`,
  WORKFLOW_BUNDLE: services.workflowBundlePath,
  RATE_LIMIT_READS_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
  RATE_LIMIT_CALLS_PER_MINUTE: '1000000',
  RATE_LIMIT_TOKENS_PER_MINUTE: '1000000000',
});

async function workerIsUp(url: string): Promise<boolean> {
  const health = (await (await fetch(`${url}/health`)).json()) as { dependencies: { worker: string } };
  return health.dependencies.worker === 'up';
}

/** A server that is not ours keeps nothing of us. */
async function endWorkflows(taskQueue: string): Promise<void> {
  const connection = await Connection.connect({ address: services.temporalAddress });
  const { schedule, workflow } = new Client({ connection, namespace: services.temporalNamespace });
  await schedule.getHandle(`maintenance-${taskQueue}`).delete();
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId } of workflow.list({ query })) await workflow.getHandle(workflowId).terminate();
  await connection.close();
}

/** Opened before the file's tests and closed after them. */
export function installationForTests(options: InstallationOptions = {}): { readonly current: Installation } {
  let installation: Installation | undefined;
  beforeAll(async () => {
    installation = await openInstallation(options);
  }, 120_000);
  afterAll(() => installation?.close(), 120_000);
  return {
    get current() {
      if (!installation) throw new Error('the installation is not open yet');
      return installation;
    },
  };
}
