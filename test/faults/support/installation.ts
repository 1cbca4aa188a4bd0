import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { type Simulator, startSimulator } from '../../../tools/simulator/simulator.ts';
import { cloneDatabase } from '../../support/database.ts';
import { endWorkflows } from '../../support/end-workflows.ts';
import { openedForTests } from '../../support/opened-for-tests.ts';
import { settingsOnServices } from '../../support/process-settings.ts';
import { services } from '../../support/services.ts';
import { until } from '../../support/until.ts';
import { Checker } from './checker.ts';
import { Link } from './link.ts';
import { type Kind, type Part, Place } from './place.ts';

export interface InstallationOptions {
  apis?: number;
  workers?: number;
  settings?: Record<string, string>;
}

/**
 * A gateway as it is installed: processes of their own, each with a link to every part, and a door in front of the api.
 * The upstream is in this process, so that it can be asked what reached it. What a test looks at itself goes past the links.
 */
export interface Installation {
  /** Of the door, which leads to the api whoever carries it out. */
  url: string;
  masterKey: string;
  environment: Record<string, string>;
  door: Link;
  apis: Place[];
  workers: Place[];
  simulator: Simulator;
  pool: Pool;
  temporal: Client;
  checker: Checker;
  /** Every process's link to a part. */
  linksTo(part: Part): Link[];
  /** Every process is up, and the api knows of a worker and of every part. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { apis = 1, workers = 1, settings = {} } = options;
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
  // The database is dropped under the last of them.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const connection = await Connection.connect({ address: services.temporalAddress });
  closing.defer(() => connection.close());
  const temporal = new Client({ connection, namespace: services.temporalNamespace });
  closing.defer(() => endWorkflows(temporal, taskQueue));
  closing.defer(() => simulator.close());
  const door = await Link.open('http://127.0.0.1:1');
  closing.defer(() => door.close());
  const open = (kind: Kind, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => Place.open(kind, join(folder, `${kind}-${n}.log`), environment)),
    );
  const [apiPlaces, workerPlaces] = [await open('api', apis), await open('worker', workers)];
  const places = [...apiPlaces, ...workerPlaces];
  closing.defer(async () => {
    await Promise.all(places.map((place) => place.close()));
  });
  for (const api of apiPlaces) api.onReady = () => door.leadTo(api.listening);

  const installation: Installation = {
    url: door.url,
    masterKey: environment.MASTER_KEY!,
    environment,
    door,
    apis: apiPlaces,
    workers: workerPlaces,
    simulator,
    pool,
    temporal,
    checker: new Checker({ pool, temporal, taskQueue }),
    linksTo: (part) => places.map((place) => place.links[part]),
    async ready() {
      await Promise.all(places.map((place) => place.ready()));
      const answers = () =>
        fetch(`${door.url}/health/ready`).then(
          (answer) => answer.ok,
          () => false,
        );
      await until(answers, Boolean, 60_000);
    },
    close: () => closing.disposeAsync(),
  };
  try {
    await Promise.all(places.map((place) => place.start()));
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
