import { randomBytes } from 'node:crypto';
import { type Config, loadConfig } from '../../src/config.ts';
import { openDeps } from '../../src/deps.ts';
import { createApp } from '../../src/http/app.ts';
import type { Deps } from '../../src/http/ports.ts';
import type { Route } from '../../src/http/route.ts';
import { createLog } from '../../src/log.ts';
import { connectionLimitsOf } from '../../src/server/limit-connections.ts';
import { listen } from '../../src/server/listen.ts';
import type { RunningWorker } from '../../src/worker/run-worker.ts';
import { type Simulator, startSimulator } from '../../tools/simulator/simulator.ts';
import { cloneDatabase } from './database.ts';
import { openedForTests } from './opened-for-tests.ts';
import { settingsOnServices } from './process-settings.ts';
import { logLevel } from './quiet-temporal.ts';
import { until } from './until.ts';
import { startWorkerInProcess } from './worker-in-process.ts';

/** A whole gateway of one test file: api and worker in this process, a database and a task queue of its own. */
export interface Gateway {
  url: string;
  /** The environment variables of a process of this gateway. */
  environment: Record<string, string>;
  config: Config;
  deps: Deps;
  simulator: Simulator;
  masterKey: string;
  databaseUrl: string;
  startWorker(): Promise<RunningWorker>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  settings?: Partial<Record<keyof Config, string>>;
  /** `false`: no workflow runs, and a request that needs one is answered 503. */
  worker?: boolean;
  /** Routes of a test, in place of those of the product. */
  routes?: readonly Route[];
  /** Receives the warnings of api and worker, a line of JSON each. */
  log?: (line: string) => void;
}

/** The cost is lower than the setting permits: with 10 a password takes 50 ms of a core, and tests hash and compare many. */
const lowBcryptCost = 4;

export async function startGateway({
  settings = {},
  worker = true,
  routes,
  log: write,
}: GatewayOptions = {}): Promise<Gateway> {
  const upstreamKey = `sk-upstream-${randomBytes(8).toString('hex')}`;
  const [simulator, database] = await Promise.all([startSimulator({ masterKey: upstreamKey }), cloneDatabase()]);
  const environment = {
    ...settingsOnServices('test'),
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: simulator.url,
    UPSTREAM_MASTER_KEY: upstreamKey,
    LOG_LEVEL: logLevel,
    ...settings,
  };
  const config = loadConfig(environment);
  if (!settings.BCRYPT_COST) config.BCRYPT_COST = lowBcryptCost;
  const log = write ? createLog('warn', 'test', { write }) : createLog(config.LOG_LEVEL, 'test');
  const startWorker = async () => {
    const started = await startWorkerInProcess(config, log);
    workers.push(started);
    return started;
  };
  const workers: RunningWorker[] = [];
  if (worker) await startWorker();
  const { deps, close } = await openDeps(config, log);
  // On a busy machine the first heartbeat of the worker can be late by some seconds. Until then calls are refused.
  if (worker) await until(() => !deps.workerWatch.isUnavailable());
  const server = await listen(createApp(deps, routes), {
    host: '127.0.0.1',
    port: 0,
    connections: connectionLimitsOf(config),
  });
  return {
    url: server.url,
    environment,
    config,
    deps,
    simulator,
    masterKey: config.MASTER_KEY,
    databaseUrl: database.url,
    startWorker,
    async close() {
      await simulator.close();
      deps.drain.begin();
      await server.drain(() => deps.callSubscriptions.shutDown(), { lameDuckMs: 0, drainMs: 12_000 });
      for (const one of workers) one.shutdown();
      await Promise.all(workers.map((one) => one.stopped));
      await close();
      await database.drop();
    },
  };
}

/** Starts before the file's tests and closes after them; its members can be read inside a test. */
export const gatewayForTests = (options: GatewayOptions = {}) => openedForTests(() => startGateway(options));
