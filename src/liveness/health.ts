import { cachedFor } from '../concurrency/cached-for.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { isWritable } from '../db/connection/is-writable.ts';
import type { Log } from '../log.ts';
import type { Temporal } from '../temporal/connection/client.ts';
import type { WorkerWatch } from './availability.ts';
import type { RedisHealth } from './redis-watch.ts';

export type Dependency = 'database' | 'redis' | 'temporal' | 'worker';
export type Health = Record<Dependency, 'up' | 'down'>;

/** A probe must be answered soon. */
const timeoutMs = 1_000;
/** How long a result is reused: the dependencies are checked no more often than this, however many probes come. */
const cachedMs = 500;

interface HealthDeps {
  database: Database;
  redisHealth: RedisHealth;
  temporal: Temporal;
  workerWatch: WorkerWatch;
  log: Log;
}

/** A dependency that responds too late is down. */
const isUp = (check: Promise<boolean>): Promise<boolean> => withTimeout(check, timeoutMs).catch(() => false);

/** Whether Temporal responds and has what workflows need. The latter is checked until it is complete. */
function createTemporalCheck({ temporal, log }: HealthDeps): () => Promise<boolean> {
  let isSetUp = false;
  let logged: string | undefined;
  return async () => {
    if (isSetUp) return temporal.isReachable(timeoutMs);
    const missing = await temporal.missingSetup(timeoutMs);
    if (missing !== undefined && missing !== logged) log.error({ missing }, 'temporal: setup incomplete');
    logged = missing;
    isSetUp = missing === undefined;
    return isSetUp;
  };
}

async function check(
  { database, redisHealth, workerWatch }: HealthDeps,
  isTemporalUp: () => Promise<boolean>,
): Promise<Health> {
  const [databaseUp, temporalUp] = await Promise.all([isUp(isWritable(database)), isUp(isTemporalUp())]);
  const status = (up: boolean) => (up ? 'up' : 'down');
  return {
    database: status(databaseUp),
    redis: status(redisHealth.isUp()),
    temporal: status(temporalUp),
    worker: status(!workerWatch.isUnavailable()),
  };
}

/** The state of the gateway's dependencies, checked on demand and cached for a moment. Never rejects. */
export function createHealthCheck(deps: HealthDeps): () => Promise<Health> {
  const isTemporalUp = createTemporalCheck(deps);
  return cachedFor(cachedMs, () => check(deps, isTemporalUp));
}
