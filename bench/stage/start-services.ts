import { join } from 'node:path';
import { readOrCreateSecret } from '../../tools/dev/files.ts';
import { type Print, printLine } from '../../tools/dev/print.ts';
import type { ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { launchProgram } from '../../tools/dev/programs.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { launchPostgres } from '../../tools/dev/services/postgres/launch-postgres.ts';
import { findRedis } from '../../tools/dev/services/redis/find-redis.ts';
import { launchRedis } from '../../tools/dev/services/redis/launch-redis.ts';
import { findTemporal } from '../../tools/dev/services/temporal/find-temporal.ts';
import { launchTemporal } from '../../tools/dev/services/temporal/launch-temporal.ts';

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  temporalAddress: string;
  upstreamUrl: string;
}

interface StartOptions {
  print?: Print;
  databaseUrl?: string | undefined;
  temporalAddress?: string;
}

/**
 * The services of `npm start`, started in the same way with data on disk and synced, and the stand-in as the upstream. A PostgreSQL or
 * Temporal whose address is given is running already; that PostgreSQL keeps its data.
 */
export async function startServices(
  group: ProcessGroup,
  cache: string,
  { print = printLine, databaseUrl, temporalAddress }: StartOptions = {},
): Promise<Services> {
  const [postgres, redis, temporal, upstream] = await Promise.all([
    databaseUrl === undefined
      ? group.start(() => launchPostgres(group.folder, { password: passwordIn(group.folder), isDurable: true }))
      : { url: databaseUrl },
    findRedis(cache, print).then((program) => group.start(() => launchRedis(program, group.folder))),
    temporalAddress === undefined
      ? findTemporal(cache, print).then((program) =>
          group.start(() => launchTemporal(program, group.folder, { withUi: true, isDurable: true })),
        )
      : { address: temporalAddress },
    group.start(launchStandIn),
  ]);
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    temporalAddress: temporal.address,
    upstreamUrl: upstream.url,
  };
}

const passwordIn = (folder: string): string => readOrCreateSecret(join(folder, 'postgres-password'));

async function launchStandIn() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => (await fetch(url)).ok;
  return { ...launchProgram('upstream', 'bench/stand-in.ts', { PORT: String(port) }, ready), url };
}
