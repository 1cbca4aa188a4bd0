import { join } from 'node:path';
import { bringUpUpstream, type Upstream } from './bring-up-upstream.ts';
import { keptSecret } from './kept-secret.ts';
import { launchPostgres } from './parts/postgres/launch-postgres.ts';
import { findRedis } from './parts/redis/find-redis.ts';
import { launchRedis } from './parts/redis/launch-redis.ts';
import { findTemporal } from './parts/temporal/find-temporal.ts';
import { launchTemporal } from './parts/temporal/launch-temporal.ts';
import type { Run } from './run.ts';

export type Addresses = {
  databaseUrl: string;
  redisUrl: string;
  temporal: { address: string; uiUrl?: string };
  upstream: Upstream;
};

/** All at once: the services do not depend on each other, and one may take minutes to fetch. */
export async function bringUpServices(run: Run): Promise<Addresses> {
  const [databaseUrl, redisUrl, temporal, upstream] = await Promise.all([
    bringUpPostgres(run),
    bringUpRedis(run),
    bringUpTemporal(run),
    bringUpUpstream(run),
  ]);
  return { databaseUrl, redisUrl, temporal, upstream };
}

async function bringUpPostgres(run: Run): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const password = keptSecret(join(run.folder, 'postgres-password'));
  const { url, folder, accountName } = await run.bringUp(() => launchPostgres(run.folder, password));
  run.say(
    `  PostgreSQL: data in ${folder}${accountName ? `, run by the account "${accountName}" as it refuses root` : ''}`,
  );
  return url;
}

async function bringUpRedis(run: Run): Promise<string> {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  const program = await findRedis(run.cache, run.say);
  const { url } = await run.bringUp(() => launchRedis(program, run.folder));
  run.say(`  Redis: ${program.from}`);
  return url;
}

async function bringUpTemporal(run: Run): Promise<{ address: string; uiUrl?: string }> {
  if (process.env.TEMPORAL_ADDRESS) return { address: process.env.TEMPORAL_ADDRESS };
  const program = await findTemporal(run.cache, run.say);
  const launch = await run.bringUp(() => launchTemporal(program, run.folder, { withUi: true }));
  run.say(`  Temporal: ${program}`);
  return launch;
}
