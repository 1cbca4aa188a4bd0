import { join } from 'node:path';
import { ListeningSettings, readSettings } from '../../src/config.ts';
import { canMakeCalls } from './can-make-calls.ts';
import { readOrCreateSecret } from './files.ts';
import type { Print } from './print.ts';
import { launchProgram, runScript } from './programs.ts';
import { freePort, isFree } from './services/free-port.ts';
import type { Services } from './start-services.ts';
import type { Supervisor } from './supervisor.ts';

export type Gateway = { url: string; masterKey: string; masterKeyFile?: string };

/** Everything is to end within 30 s, and there is no load balancer. */
const drainSettings = { DRAIN_SECONDS: '20', LAME_DUCK_SECONDS: '0' };

/** Migrates, then starts api and worker at the same time: both count as ready when the api can make calls. */
export async function startGateway(
  supervisor: Supervisor,
  services: Services,
  workflowBundle: string,
): Promise<Gateway> {
  const masterKeyFile = process.env.MASTER_KEY ? undefined : join(supervisor.folder, 'master-key');
  const masterKey = process.env.MASTER_KEY || readOrCreateSecret(masterKeyFile!);
  const databaseUrl = services.serviceDatabaseUrl ?? services.databaseUrl;
  await runScript('src/db/migrate.ts', [], {
    DATABASE_URL: services.databaseUrl,
    DATABASE_SERVICE_URL: services.serviceDatabaseUrl ?? '',
  });
  const { host, port } = await chooseApiPort(process.env, supervisor.print);
  const url = `http://${urlHost(host)}:${port}`;
  const ready = () => canMakeCalls(url);
  const settings = {
    MASTER_KEY: masterKey,
    DATABASE_URL: databaseUrl,
    REDIS_URL: services.redisUrl,
    TEMPORAL_ADDRESS: services.temporal.address,
    TEMPORAL_UI_URL: process.env.TEMPORAL_UI_URL || services.temporal.uiUrl || '',
    ...drainSettings,
    ...services.upstream.settings,
  };
  // METRICS_PORT is the worker's; the api serves its own metrics at /metrics, with the platform key.
  const apiSettings = { ...settings, HOST: host, PORT: String(port), METRICS_PORT: '' };
  const workerSettings = { ...settings, WORKFLOW_BUNDLE: workflowBundle };
  await Promise.all([
    supervisor.start(async () => launchProgram('api', 'src/api.ts', apiSettings, ready), 120_000),
    supervisor.start(async () => launchProgram('worker', 'src/worker.ts', workerSettings, ready), 120_000),
  ]);
  return { url, masterKey, masterKeyFile };
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
const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};
