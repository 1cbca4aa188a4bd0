import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../src/dev/folders.ts';
import { launchPostgres } from '../../src/dev/parts/postgres/launch-postgres.ts';
import { findRedis } from '../../src/dev/parts/redis/find-redis.ts';
import { launchRedis } from '../../src/dev/parts/redis/launch-redis.ts';
import { findTemporal } from '../../src/dev/parts/temporal/find-temporal.ts';
import { launchTemporal } from '../../src/dev/parts/temporal/launch-temporal.ts';
import { endRecorded, ProcessRecord } from '../../src/dev/processes/process-record.ts';
import { startUntilReady } from '../../src/dev/processes/start-until-ready.ts';
import { startWatchdog } from '../../src/dev/processes/start-watchdog.ts';
import type { Say } from '../../src/dev/say.ts';

export type StartedServices = {
  folder: string;
  databaseUrl: string;
  redisUrl: string;
  temporalAddress: string;
  stop: () => Promise<void>;
};

const say: Say = (line) => process.stderr.write(`${line}\n`);

/** Brings up what the environment does not name, at once, in a folder that is gone after the run, however the run ends. */
export async function startServices(): Promise<StartedServices> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-test-'));
  // PostgreSQL, as another user when we are root, keeps its data below it.
  chmodSync(folder, 0o711);
  const recordFile = join(folder, 'processes.json');
  const record = new ProcessRecord(recordFile);
  const releaseWatchdog = startWatchdog(recordFile, [folder]);
  const stop = async () => {
    record.closed = true;
    await endRecorded(recordFile);
    await releaseWatchdog();
  };
  const where = { logFile: (name: string) => join(folder, `${name}.log`), record };
  const cache = cacheFolder(folder);
  const { DATABASE_URL, REDIS_URL, TEMPORAL_ADDRESS } = process.env;
  const started = await Promise.allSettled([
    DATABASE_URL || startUntilReady(() => launchPostgres(folder), where).then(({ launch }) => launch.url),
    REDIS_URL || startRedis(),
    TEMPORAL_ADDRESS || startTemporal(),
  ]);
  const failure = started.find((each) => each.status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  const [databaseUrl = '', redisUrl = '', temporalAddress = ''] = started.map((each) =>
    each.status === 'fulfilled' ? each.value : '',
  );
  return { folder, databaseUrl, redisUrl, temporalAddress, stop };

  async function startRedis(): Promise<string> {
    const program = await findRedis(cache, say);
    return (await startUntilReady(() => launchRedis(program, folder), where)).launch.url;
  }

  async function startTemporal(): Promise<string> {
    const program = await findTemporal(cache, say);
    return (await startUntilReady(() => launchTemporal(program, folder, { keep: false }), where)).launch.address;
  }
}
