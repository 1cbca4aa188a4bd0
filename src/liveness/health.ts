import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { isWritable } from '../db/server/is-writable.ts';
import type { Log } from '../log.ts';
import type { Temporal } from '../temporal/connection/client.ts';
import type { RedisHealth } from './redis-watch.ts';
import type { WorkerWatch } from './worker-watch.ts';

export type Dependency = 'database' | 'redis' | 'temporal' | 'worker';
export type Health = Record<Dependency, 'up' | 'down'>;

/** A probe has to be answered soon. */
const patienceMs = 1_000;
/** The dependencies are asked no more often than this, however many probes come. */
const keptMs = 500;

interface Parts {
  database: Database;
  redisHealth: RedisHealth;
  temporal: Temporal;
  workerWatch: WorkerWatch;
  log: Log;
}

/** A dependency that answers late is down. */
const isUp = (answers: Promise<boolean>): Promise<boolean> => withTimeout(answers, patienceMs).catch(() => false);

/** Whether Temporal answers and has what workflows need; the latter is asked until it has. */
function watchSetUp({ temporal, log }: Parts): () => Promise<boolean> {
  let isSetUp = false;
  let logged: string | undefined;
  return async () => {
    if (isSetUp) return temporal.isReachable(patienceMs);
    const missing = await temporal.missingSetup(patienceMs);
    if (missing !== undefined && missing !== logged) log.error({ missing }, 'Temporal is not set up');
    logged = missing;
    isSetUp = missing === undefined;
    return isSetUp;
  };
}

async function ask(
  { database, redisHealth, workerWatch }: Parts,
  temporalServes: () => Promise<boolean>,
): Promise<Health> {
  const [databaseUp, temporalUp] = await Promise.all([isUp(isWritable(database)), isUp(temporalServes())]);
  const say = (up: boolean) => (up ? 'up' : 'down');
  return {
    database: say(databaseUp),
    redis: say(redisHealth.isUp()),
    temporal: say(temporalUp),
    worker: say(!workerWatch.isUnavailable()),
  };
}

/** The state of the gateway's dependencies, asked on demand and kept for a moment. Never rejects. */
export function watchHealth(parts: Parts): () => Promise<Health> {
  const temporalServes = watchSetUp(parts);
  let asked: Promise<Health> | undefined;
  const forget = () => {
    asked = undefined;
  };
  return () => {
    asked ??= ask(parts, temporalServes).finally(() => setTimeout(forget, keptMs).unref());
    return asked;
  };
}
