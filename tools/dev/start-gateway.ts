import { join } from 'node:path';
import { readSettings } from '../../src/config/read-settings.ts';
import { ListeningSettings } from '../../src/config.ts';
import { canMakeCalls } from './can-make-calls.ts';
import { readOrCreateSecret } from './files.ts';
import type { Print } from './print.ts';
import type { Launch } from './processes/start-process.ts';
import { launchProgram, runScript } from './programs.ts';
import { freePort, isFree } from './services/free-port.ts';
import type { Services } from './start-services.ts';
import type { Upstream } from './start-upstream.ts';
import type { Supervisor } from './supervisor.ts';

export type Gateway = { url: string; masterKey: string; masterKeyFile?: string };

/** Everything has to end within 30 s. */
const drainSeconds = 20;

const startWithinMs = 120_000;

/** Migrates, then starts api and worker at the same time: both count as ready when the api can make calls. */
export async function startGateway(
  supervisor: Supervisor,
  services: Services,
  upstream: Upstream,
  workflowBundle: string,
): Promise<Gateway> {
  await migrate(services);
  const address = await chooseApiPort(process.env, supervisor.print);
  const { gateway, api, worker } = describeGateway(supervisor.folder, services, upstream, { ...address, drainSeconds });
  await Promise.all([
    supervisor.start(async () => api, startWithinMs),
    supervisor.start(async () => worker(workflowBundle), startWithinMs),
  ]);
  return gateway;
}

export const migrate = (services: Services): Promise<void> =>
  runScript('src/db/migrate.ts', [], {
    DATABASE_URL: services.databaseUrl,
    DATABASE_SERVICE_URL: services.serviceDatabaseUrl ?? '',
  });

export type GatewayDescription = { gateway: Gateway; api: Launch; worker: (workflowBundle: string) => Launch };

/** How to start api and worker, with the keys in the folder. There is no load balancer, and so no time as a lame duck. */
export function describeGateway(
  folder: string,
  services: Services,
  upstream: Upstream,
  { host, port, drainSeconds }: { host: string; port: number; drainSeconds: number },
): GatewayDescription {
  const masterKeyFile = process.env.MASTER_KEY ? undefined : join(folder, 'master-key');
  const masterKey = process.env.MASTER_KEY || readOrCreateSecret(masterKeyFile!);
  const url = `http://${urlHost(host)}:${port}`;
  const ready = () => canMakeCalls(url);
  const settings = {
    MASTER_KEY: masterKey,
    DATABASE_URL: services.serviceDatabaseUrl ?? services.databaseUrl,
    REDIS_URL: services.redisUrl,
    TEMPORAL_ADDRESS: services.temporal.address,
    TEMPORAL_UI_URL: process.env.TEMPORAL_UI_URL || services.temporal.uiUrl || '',
    DRAIN_SECONDS: String(drainSeconds),
    LAME_DUCK_SECONDS: '0',
    ...upstream.settings,
  };
  // METRICS_PORT is the worker's; the api serves its own metrics at /metrics, with the platform key.
  const apiSettings = { ...settings, HOST: host, PORT: String(port), METRICS_PORT: '' };
  return {
    gateway: { url, masterKey, masterKeyFile },
    api: launchProgram('api', 'src/api.ts', apiSettings, ready),
    worker: (WORKFLOW_BUNDLE) => launchProgram('worker', 'src/worker.ts', { ...settings, WORKFLOW_BUNDLE }, ready),
  };
}

/** `PORT`, or another port where a program listens on that one: `run.json` and the last lines of the start show which. */
export async function chooseApiPort(
  environment: NodeJS.ProcessEnv,
  print: Print,
): Promise<{ host: string; port: number }> {
  const { HOST: host, PORT: wanted } = readSettings(ListeningSettings, environment);
  if (wanted !== 0 && (await isFree(wanted, host))) return { host, port: wanted };
  const port = await freePort(host);
  if (wanted !== 0) print(`  Port ${wanted} is taken by another program: the API listens on ${port} instead`);
  return { host, port };
}

/** The host part of a URL for a server that listens on this host. */
export const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};
