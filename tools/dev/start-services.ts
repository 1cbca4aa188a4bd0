import { join } from 'node:path';
import { readOrCreateSecret } from './files.ts';
import { printWhileRunning } from './print.ts';
import { launchPostgres } from './services/postgres/launch-postgres.ts';
import { findRedis } from './services/redis/find-redis.ts';
import { launchRedis } from './services/redis/launch-redis.ts';
import { findTemporal } from './services/temporal/find-temporal.ts';
import { launchTemporal } from './services/temporal/launch-temporal.ts';
import { serveUi } from './services/temporal/serve-ui.ts';
import type { Supervisor } from './supervisor.ts';

export type Services = {
  /** The URL of the role that owns the tables. */
  databaseUrl: string;
  /** The URL of the role of api and worker. Undefined for a database that was not started here. */
  serviceDatabaseUrl?: string;
  redisUrl: string;
  temporal: { address: string; uiUrl?: string };
};

/**
 * Starts each service that no variable configures, all at the same time: none depends on another, and one may take minutes to download.
 * `prepare` does not wait for the other services. A database that is not durable is faster, and lost when the machine crashes.
 */
export async function startServices(
  supervisor: Supervisor,
  { isDurable = true, prepare }: { isDurable?: boolean; prepare?: (database: DatabaseUrls) => Promise<void> } = {},
): Promise<Services> {
  const [database, redisUrl, temporal] = await Promise.all([
    startPostgres(supervisor, isDurable).then(async (urls) => {
      await prepare?.(urls);
      return urls;
    }),
    startRedis(supervisor),
    startTemporal(supervisor, isDurable),
  ]);
  return { ...database, redisUrl, temporal };
}

export type DatabaseUrls = Pick<Services, 'databaseUrl' | 'serviceDatabaseUrl'>;

async function startPostgres(supervisor: Supervisor, isDurable: boolean): Promise<DatabaseUrls> {
  if (process.env.DATABASE_URL) return { databaseUrl: process.env.DATABASE_URL };
  const password = readOrCreateSecret(join(supervisor.folder, 'postgres-password'));
  const start = () => supervisor.start(() => launchPostgres(supervisor.folder, { password, isDurable }));
  const launch = await printWhileRunning(supervisor.print, 'starting PostgreSQL', start, 1_000);
  const account = launch.accountName ? `, run by the account "${launch.accountName}" because it refuses root` : '';
  supervisor.print(`  PostgreSQL: data in ${launch.folder}${account}`);
  return { databaseUrl: launch.url, serviceDatabaseUrl: createServiceUrl(launch.url, supervisor.folder) };
}

/** The URL of the role of api and worker, in a database of this folder. */
export function createServiceUrl(databaseUrl: string, folder: string): string {
  const url = new URL(databaseUrl);
  url.username = 'job_gateway_service';
  url.password = readOrCreateSecret(join(folder, 'postgres-service-password'));
  return url.href;
}

async function startRedis(supervisor: Supervisor): Promise<string> {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  const program = await findRedis(supervisor.cache, supervisor.print);
  const { url } = await supervisor.start(() => launchRedis(program, supervisor.folder));
  supervisor.print(`  Redis: ${program.from}`);
  return url;
}

async function startTemporal(supervisor: Supervisor, isDurable: boolean): Promise<{ address: string; uiUrl?: string }> {
  if (process.env.TEMPORAL_ADDRESS) return { address: process.env.TEMPORAL_ADDRESS };
  const program = await findTemporal(supervisor.cache, supervisor.print);
  const launch = await supervisor.start(() => launchTemporal(program, supervisor.folder, { withUi: true, isDurable }));
  supervisor.print(`  Temporal: ${program}`);
  const ui = launch.ui && (await serveUi(launch.ui));
  return { address: launch.address, uiUrl: ui?.url };
}
