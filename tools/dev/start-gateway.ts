import { join } from 'node:path';
import { readSettings } from '../../src/config/read-settings.ts';
import { isLoopback, ListeningSettings } from '../../src/config.ts';
import { canMakeCalls } from './can-make-calls.ts';
import { readOrCreateSecret } from './files.ts';
import type { Print } from './print.ts';
import type { Launch } from './processes/start-process.ts';
import { launchProgram, runScript } from './programs.ts';
import { freePort, isFree } from './services/free-port.ts';
import type { DatabaseUrls, Services } from './start-services.ts';
import type { Upstream } from './start-upstream.ts';
import type { Supervisor } from './supervisor.ts';

export type Gateway = { url: string; masterKey: string; masterKeyFile?: string };

/** Everything has to end within 30 s. */
const drainSeconds = 20;

const startWithinMs = 120_000;

/** Starts api and worker at the same time. The api is ready when it can make calls. */
export async function startGateway(
  supervisor: Supervisor,
  services: Services,
  upstream: Upstream,
  workflowBundle: string,
): Promise<Gateway> {
  const { folder, print } = supervisor;
  const described = { folder, services, upstream, drainSeconds };
  const [{ gateway }] = await Promise.all([
    // Another program may take the port before the api has it: each attempt chooses again.
    supervisor.start(async () => describeApi(described, await chooseApiPort(process.env, print)), startWithinMs),
    supervisor.start(async () => {
      const METRICS_PORT = await chooseMetricsPort(process.env, print);
      return describeWorker(described, { WORKFLOW_BUNDLE: workflowBundle, METRICS_PORT });
    }, startWithinMs),
  ]);
  return gateway;
}

export async function migrate(database: DatabaseUrls): Promise<void> {
  const { databaseUrl: DATABASE_URL, serviceDatabaseUrl: DATABASE_SERVICE_URL = '' } = database;
  try {
    await runScript('src/db/migrate.ts', [], { DATABASE_URL, DATABASE_SERVICE_URL });
  } catch (error) {
    const problem = /"problem":"((?:[^"\\]|\\.)*)".*migrate: the tables are those of another version/.exec(
      (error as Error).message,
    );
    if (!problem) throw error;
    const remedy = DATABASE_SERVICE_URL
      ? 'Set DATA_DIR to another folder, or remove the folder "postgres" in this one and with it all data'
      : 'Set DATABASE_URL to an empty database';
    throw new Error(
      `The database is that of another version of this code, from which no migration leads here (${problem[1]}). ` +
        `${remedy}, or start the version that made it.`,
    );
  }
}

/** What api and worker are started with. There is no load balancer, and so no time as a lame duck. */
export type Described = { folder: string; services: Services; upstream: Upstream; drainSeconds: number };

export function describeApi(
  described: Described,
  { host, port }: { host: string; port: number },
): Launch & { gateway: Gateway } {
  const { masterKey, masterKeyFile } = masterKeyOf(described.folder);
  const url = `http://${urlHost(host)}:${port}`;
  // METRICS_PORT is the worker's; the api serves its own metrics at /metrics, with the platform key.
  const settings = { ...settingsOf(described), HOST: host, PORT: String(port), METRICS_PORT: '' };
  const launch = launchProgram('api', 'src/api.ts', settings, () => canMakeCalls(url));
  return { ...launch, announces: true, gateway: { url, masterKey, masterKeyFile } };
}

export const describeWorker = (
  described: Described,
  own: { WORKFLOW_BUNDLE: string; METRICS_PORT?: string },
): Launch => ({
  ...launchProgram('worker', 'src/worker.ts', { ...settingsOf(described), ...own }, async () => true),
  announces: true,
});

function masterKeyOf(folder: string): Pick<Gateway, 'masterKey' | 'masterKeyFile'> {
  if (process.env.MASTER_KEY) return { masterKey: process.env.MASTER_KEY };
  const masterKeyFile = join(folder, 'master-key');
  return { masterKey: readOrCreateSecret(masterKeyFile), masterKeyFile };
}

const settingsOf = ({ folder, services, upstream, drainSeconds }: Described): NodeJS.ProcessEnv => ({
  MASTER_KEY: masterKeyOf(folder).masterKey,
  DATABASE_URL: services.serviceDatabaseUrl ?? services.databaseUrl,
  REDIS_URL: services.redisUrl,
  TEMPORAL_ADDRESS: services.temporal.address,
  TEMPORAL_UI_URL: process.env.TEMPORAL_UI_URL || services.temporal.uiUrl || '',
  DRAIN_SECONDS: String(drainSeconds),
  LAME_DUCK_SECONDS: '0',
  // A receiver that somebody tries is on this machine. Who reaches only a loopback address can reach it anyway.
  WEBHOOK_ALLOW_PRIVATE_NETWORKS:
    process.env.WEBHOOK_ALLOW_PRIVATE_NETWORKS || (isLoopback(process.env.HOST || '127.0.0.1') ? 'loopback' : 'false'),
  ...upstream.settings,
});

/** `PORT`, or another port where a program listens on that one: `run.json` and the last lines of the start show which. */
export async function chooseApiPort(
  environment: NodeJS.ProcessEnv,
  print: Print,
): Promise<{ host: string; port: number }> {
  const { HOST: host, PORT: wanted } = readSettings(ListeningSettings, environment);
  return { host, port: await choosePort({ host, wanted, user: 'the API' }, print) };
}

/** `METRICS_PORT` of the worker, chosen in the same way. Without the setting there is none. */
async function chooseMetricsPort(environment: NodeJS.ProcessEnv, print: Print): Promise<string> {
  const { HOST: host, METRICS_PORT: wanted } = readSettings(ListeningSettings, environment);
  return wanted === undefined ? '' : String(await choosePort({ host, wanted, user: 'the worker' }, print));
}

async function choosePort(
  { host, wanted, user }: { host: string; wanted: number; user: string },
  print: Print,
): Promise<number> {
  if (wanted !== 0 && (await isFree(wanted, host))) return wanted;
  const port = await freePort(host);
  if (wanted !== 0) print(`  Port ${wanted} is taken by another program: ${user} listens on ${port} instead`);
  return port;
}

/** The host part of a URL for a server that listens on this host. */
export const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};
