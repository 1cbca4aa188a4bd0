import { join } from 'node:path';
import { readOrCreateSecret } from './files.ts';
import { launchProgram } from './programs.ts';
import { freePort } from './services/free-port.ts';
import { launchPostgres } from './services/postgres/launch-postgres.ts';
import { findRedis } from './services/redis/find-redis.ts';
import { launchRedis } from './services/redis/launch-redis.ts';
import { findTemporal } from './services/temporal/find-temporal.ts';
import { launchTemporal } from './services/temporal/launch-temporal.ts';
import { serveUi } from './services/temporal/serve-ui.ts';
import type { Supervisor } from './supervisor.ts';

export type Services = {
  /** Of the role that owns the tables. */
  databaseUrl: string;
  /** Of the role of api and worker. Undefined for a database that was not started here. */
  serviceDatabaseUrl?: string;
  redisUrl: string;
  temporal: { address: string; uiUrl?: string };
  upstream: Upstream;
};

/** `settings` are for the gateway. `models` returns the models that the sample job uses. */
type Upstream = { url: string; settings: NodeJS.ProcessEnv; models: () => Promise<string[]> };

/** Starts each service that no variable configures, all at the same time: none depends on another, and one may take minutes to download. */
export async function startServices(supervisor: Supervisor): Promise<Services> {
  const [database, redisUrl, temporal, upstream] = await Promise.all([
    startPostgres(supervisor),
    startRedis(supervisor),
    startTemporal(supervisor),
    startUpstream(supervisor),
  ]);
  return { ...database, redisUrl, temporal, upstream };
}

async function startPostgres(supervisor: Supervisor): Promise<Pick<Services, 'databaseUrl' | 'serviceDatabaseUrl'>> {
  if (process.env.DATABASE_URL) return { databaseUrl: process.env.DATABASE_URL };
  const password = readOrCreateSecret(join(supervisor.folder, 'postgres-password'));
  const { url, folder, accountName } = await supervisor.start(() => launchPostgres(supervisor.folder, password));
  const account = accountName ? `, run by the account "${accountName}" because it refuses root` : '';
  supervisor.print(`  PostgreSQL: data in ${folder}${account}`);
  const service = new URL(url);
  service.username = 'job_gateway_service';
  service.password = readOrCreateSecret(join(supervisor.folder, 'postgres-service-password'));
  return { databaseUrl: url, serviceDatabaseUrl: service.href };
}

async function startRedis(supervisor: Supervisor): Promise<string> {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  const program = await findRedis(supervisor.cache, supervisor.print);
  const { url } = await supervisor.start(() => launchRedis(program, supervisor.folder));
  supervisor.print(`  Redis: ${program.from}`);
  return url;
}

async function startTemporal(supervisor: Supervisor): Promise<{ address: string; uiUrl?: string }> {
  if (process.env.TEMPORAL_ADDRESS) return { address: process.env.TEMPORAL_ADDRESS };
  const program = await findTemporal(supervisor.cache, supervisor.print);
  const launch = await supervisor.start(() => launchTemporal(program, supervisor.folder, { withUi: true }));
  supervisor.print(`  Temporal: ${program}`);
  const ui = launch.ui && (await serveUi(launch.ui));
  return { address: launch.address, uiUrl: ui?.url };
}

/**
 * The simulated upstream stores its teams and keys in memory only. It is started without a master key, so that it accepts the keys
 * of teams that were created in an earlier start.
 */
async function startUpstream(supervisor: Supervisor): Promise<Upstream> {
  const configuredUrl = process.env.UPSTREAM_BASE_URL;
  if (configuredUrl) return { url: configuredUrl, settings: {}, models: () => firstModel(configuredUrl) };
  const { url } = await supervisor.start(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/health/liveliness`, { signal: AbortSignal.timeout(2_000) })).ok;
    const env = { PORT: String(port), HOST: '127.0.0.1', SIMULATOR_MASTER_KEY: '' };
    return { ...launchProgram('upstream', 'tools/simulator/main.ts', env, ready), url };
  });
  supervisor.print('  Upstream: the simulated one');
  const masterKey =
    process.env.UPSTREAM_MASTER_KEY || readOrCreateSecret(join(supervisor.folder, 'upstream-master-key'), 'sk-');
  const settings = { UPSTREAM_BASE_URL: url, UPSTREAM_MASTER_KEY: masterKey };
  return { url, settings, models: async () => ['gpt-4o-mini', 'claude-haiku-4-5'] };
}

async function firstModel(url: string): Promise<string[]> {
  const response = await fetch(`${url.replace(/\/(v1\/?)?$/, '')}/v1/models`, {
    headers: { authorization: `Bearer ${process.env.UPSTREAM_MASTER_KEY ?? ''}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`the upstream answered ${response.status} to the request for its models`);
  const { data = [] } = (await response.json()) as { data?: { id: string }[] };
  return data.slice(0, 1).map(({ id }) => id);
}
