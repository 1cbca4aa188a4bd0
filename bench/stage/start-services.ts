import { join } from 'node:path';
import { keptSecret } from '../../tools/dev/kept-secret.ts';
import { launchProgram } from '../../tools/dev/launch-program.ts';
import { freePort } from '../../tools/dev/parts/free-port.ts';
import { launchPostgres } from '../../tools/dev/parts/postgres/launch-postgres.ts';
import { findRedis } from '../../tools/dev/parts/redis/find-redis.ts';
import { launchRedis } from '../../tools/dev/parts/redis/launch-redis.ts';
import { findTemporal } from '../../tools/dev/parts/temporal/find-temporal.ts';
import { launchTemporal } from '../../tools/dev/parts/temporal/launch-temporal.ts';
import type { ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { type Say, sayAloud } from '../../tools/dev/say.ts';

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  temporalAddress: string;
  upstreamUrl: string;
}

/** What `npm start` starts, in the way it does, data on disk and synced; and the stand-in instead of the simulated upstream. */
export async function startServices(group: ProcessGroup, cache: string, say: Say = sayAloud): Promise<Services> {
  const [redisProgram, temporalProgram] = await Promise.all([findRedis(cache, say), findTemporal(cache, say)]);
  const [postgres, redis, temporal, upstream] = await Promise.all([
    group.bringUp(() => launchPostgres(group.folder, keptSecret(join(group.folder, 'postgres-password')))),
    group.bringUp(() => launchRedis(redisProgram, group.folder)),
    group.bringUp(() => launchTemporal(temporalProgram, group.folder, { withUi: true })),
    group.bringUp(launchStandIn),
  ]);
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    temporalAddress: temporal.address,
    upstreamUrl: upstream.url,
  };
}

async function launchStandIn() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => (await fetch(url)).ok;
  return { ...launchProgram('upstream', 'bench/stand-in.ts', { PORT: String(port) }, ready), url };
}
