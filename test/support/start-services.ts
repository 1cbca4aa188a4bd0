import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../tools/dev/folders.ts';
import { keepOwnSettings } from '../../tools/dev/own-settings.ts';
import type { Print } from '../../tools/dev/print.ts';
import { openProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { launchPostgres } from '../../tools/dev/services/postgres/launch-postgres.ts';
import { findRedis } from '../../tools/dev/services/redis/find-redis.ts';
import { launchRedis } from '../../tools/dev/services/redis/launch-redis.ts';
import { findTemporal } from '../../tools/dev/services/temporal/find-temporal.ts';
import { launchTemporal } from '../../tools/dev/services/temporal/launch-temporal.ts';
import { findRunningServices } from '../../tools/dev/services-for-development.ts';

export type StartedServices = {
  folder: string;
  databaseUrl: string;
  redisUrl: string;
  temporalAddress: string;
  stop: () => Promise<void>;
};

/** Trades memory for time: a sixth of the time of Temporal's server is its garbage collector, which runs when the heap has doubled. */
const rareCollections = { GOGC: '400' };

const printToStderr: Print = (line) => process.stderr.write(`${line}\n`);

/**
 * Starts the services that the environment does not name and `npm run services` does not run, in parallel, in a folder that is deleted
 * after the run, however the run ends. CI starts its own.
 */
export async function startServices(print: Print = printToStderr): Promise<StartedServices> {
  keepOwnSettings(process.env);
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-test-'));
  const group = openProcessGroup(folder);
  const running = process.env.CI ? undefined : await findRunningServices();
  if (running) {
    print('The tests use the services of "npm run services".');
    const { databaseUrl, redisUrl, temporal } = running;
    return { folder, databaseUrl, redisUrl, temporalAddress: temporal.address, stop: group.end };
  }
  const cache = cacheFolder(folder);
  const { DATABASE_URL, REDIS_URL, TEMPORAL_ADDRESS } = process.env;
  const started = await Promise.allSettled([
    DATABASE_URL || group.start(() => launchPostgres(folder, { isDurable: false })).then(({ url }) => url),
    REDIS_URL || startRedis(),
    TEMPORAL_ADDRESS || startTemporal(),
  ]);
  const failure = started.find((each) => each.status === 'rejected');
  if (failure) {
    await group.end();
    throw failure.reason;
  }
  const [databaseUrl = '', redisUrl = '', temporalAddress = ''] = started.map((each) =>
    each.status === 'fulfilled' ? each.value : '',
  );
  return { folder, databaseUrl, redisUrl, temporalAddress, stop: group.end };

  async function startRedis(): Promise<string> {
    const program = await findRedis(cache, print);
    return (await group.start(() => launchRedis(program, folder))).url;
  }

  async function startTemporal(): Promise<string> {
    const program = await findTemporal(cache, print);
    const launch = async () => {
      const launched = await launchTemporal(program, folder, { withUi: false, isDurable: false });
      return { ...launched, env: { ...launched.env, ...rareCollections } };
    };
    return (await group.start(launch)).address;
  }
}
