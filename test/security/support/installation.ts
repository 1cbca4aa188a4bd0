import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/log.ts';
import { type Simulator, startSimulator } from '../../../tools/simulator/simulator.ts';
import { cloneDatabase } from '../../support/database.ts';
import { endWorkflows } from '../../support/end-workflows.ts';
import { openedForTests } from '../../support/opened-for-tests.ts';
import { settingsOnServices } from '../../support/process-settings.ts';
import { logLevel } from '../../support/quiet-temporal.ts';
import { services } from '../../support/services.ts';
import { isFull } from '../../support/sizes.ts';
import { until } from '../../support/until.ts';
import { startWorkerInProcess } from '../../support/worker-in-process.ts';
import { type Program, startProgram } from './program.ts';

export type Settings = Record<string, string>;

export interface InstallationOptions {
  settings?: Settings;
  /** `false`: no workflow runs, which is sufficient for a test without jobs. */
  worker?: boolean;
  /** `false`: the test starts each api with its own settings. */
  api?: boolean;
}

/** A gateway as it is installed, with its own database and task queue. In the short form the worker is in the process of the test. */
export interface Installation {
  /** The URL of the first api. */
  url: string;
  masterKey: string;
  api: Program;
  /** A process of its own in the full form only. */
  worker: Program | undefined;
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
  // The database is dropped while the last connections are open.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const environment: Settings = {
    ...settingsOnServices('security'),
    PORT: '0',
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: simulator.url,
    UPSTREAM_MASTER_KEY: upstreamKey,
    ...settings,
  };
  if (worker) closing.defer(() => endWorkflowsOf(environment.TEMPORAL_TASK_QUEUE!));
  let programs = 0;
  const start = async (kind: 'api' | 'worker', own: Settings = {}) => {
    programs += 1;
    const program = await startProgram(kind, join(folder, `${kind}-${programs}.log`), { ...environment, ...own });
    closing.defer(() => program.end());
    return program;
  };
  // An attacker reaches the api. To start a worker takes two seconds of a core.
  const startWorker = async () => {
    if (isFull) return start('worker');
    const running = await startWorkerInProcess(loadConfig(environment), createLog(logLevel, 'worker'));
    closing.defer(async () => {
      running.shutdown();
      await running.stopped;
    });
    return undefined;
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
    const started = await Promise.all([api ? start('api') : undefined, worker ? startWorker() : undefined]);
    const [first, second] = [started[0] as Program, started[1]];
    if (api && worker) await until(() => workerIsUp(first.url), Boolean, 60_000);
    return { ...installation, url: first?.url, api: first, worker: second };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

async function workerIsUp(url: string): Promise<boolean> {
  const health = (await (await fetch(`${url}/health`)).json()) as { dependencies: { worker: string } };
  return health.dependencies.worker === 'up';
}

async function endWorkflowsOf(taskQueue: string): Promise<void> {
  const connection = await Connection.connect({ address: services.temporalAddress });
  await endWorkflows(new Client({ connection, namespace: services.temporalNamespace }), taskQueue);
  await connection.close();
}

/** Opened before the file's tests and closed after them. */
export const installationForTests = (options: InstallationOptions = {}) =>
  openedForTests(() => openInstallation(options), 120_000);
