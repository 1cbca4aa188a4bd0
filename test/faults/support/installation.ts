import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { temporalAddress } from '../../../src/temporal/connection/open-temporal.ts';
import { canMakeCalls } from '../../../tools/dev/can-make-calls.ts';
import { type Simulator, startSimulator } from '../../../tools/simulator/simulator.ts';
import { cloneDatabase } from '../../support/database.ts';
import { endWorkflows } from '../../support/end-workflows.ts';
import { openedForTests } from '../../support/opened-for-tests.ts';
import { settingsOnServices } from '../../support/process-settings.ts';
import { until } from '../../support/until.ts';
import { Checker } from './checker.ts';
import { Link } from './link.ts';
import { type Dependency, type Kind, SupervisedProcess } from './supervised-process.ts';

export interface InstallationOptions {
  apis?: number;
  workers?: number;
  /** The folder of the code that the first api and the first worker run. Default: this one, as the others. */
  codeOfFirst?: string;
  settings?: Record<string, string>;
}

/**
 * A gateway as it is installed: processes with a link to every dependency each, and a link in front of the api. The upstream runs in
 * this process and counts the requests that it receives. The test's own connections do not use the links.
 */
export interface Installation {
  /** The address of the link in front of the api, the same after each restart. */
  url: string;
  masterKey: string;
  environment: Record<string, string>;
  apiLink: Link;
  apis: SupervisedProcess[];
  workers: SupervisedProcess[];
  simulator: Simulator;
  pool: Pool;
  temporal: Client;
  checker: Checker;
  /** The links of all processes to a dependency. */
  linksTo(dependency: Dependency): Link[];
  /** Resolves when every process has started and the api reports that a worker and every dependency are available. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { apis = 1, workers = 1, settings = {}, codeOfFirst } = options;
  const closing = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-faults-'));
  closing.defer(() => rmSync(folder, { recursive: true }));
  const upstreamKey = `sk-upstream-${randomBytes(8).toString('hex')}`;
  const [simulator, database] = await Promise.all([startSimulator({ masterKey: upstreamKey }), cloneDatabase()]);
  closing.defer(() => database.drop());
  const environment = {
    ...plainSettings(),
    ...settings,
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: simulator.url,
    UPSTREAM_MASTER_KEY: upstreamKey,
  };
  const taskQueue = environment.TEMPORAL_TASK_QUEUE;
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // The database is dropped while the last connections are open.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const connection = await Connection.connect(temporalAddress(loadConfig(environment)));
  closing.defer(() => connection.close());
  const temporal = new Client({ connection, namespace: environment.TEMPORAL_NAMESPACE });
  closing.defer(() => endWorkflows(temporal, taskQueue));
  closing.defer(() => simulator.close());
  const apiLink = await Link.open('http://127.0.0.1:1');
  closing.defer(() => apiLink.close());
  const open = (kind: Kind, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        SupervisedProcess.open(kind, join(folder, `${kind}-${n}.log`), environment, n === 0 ? codeOfFirst : undefined),
      ),
    );
  const [apiProcesses, workerProcesses] = [await open('api', apis), await open('worker', workers)];
  const processes = [...apiProcesses, ...workerProcesses];
  closing.defer(async () => {
    await Promise.all(processes.map((one) => one.close()));
  });
  for (const api of apiProcesses) api.onReady = () => apiLink.setTarget(api.listening);

  const installation: Installation = {
    url: apiLink.url,
    masterKey: environment.MASTER_KEY!,
    environment,
    apiLink,
    apis: apiProcesses,
    workers: workerProcesses,
    simulator,
    pool,
    temporal,
    checker: new Checker({ pool, temporal, taskQueue }),
    linksTo: (dependency) => processes.map((one) => one.links[dependency]),
    async ready() {
      await Promise.all(processes.map((one) => one.ready()));
      await until(() => canMakeCalls(apiLink.url).catch(() => false), Boolean, 60_000);
    },
    close: () => closing.disposeAsync(),
  };
  try {
    await Promise.all(processes.map((one) => one.start()));
    await installation.ready();
    return installation;
  } catch (error) {
    await installation.close();
    throw error;
  }
}

const plainSettings = () => ({
  ...settingsOnServices('faults'),
  PORT: '0',
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
});

/** Opened before the file's tests and closed after them. */
export const installationForTests = (options: InstallationOptions = {}) =>
  openedForTests(() => openInstallation(options), 120_000);
