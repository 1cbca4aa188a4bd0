import { cachedFor } from '../concurrency/cached-for.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { isAnswered } from '../db/connection/failures.ts';
import { isWritable } from '../db/connection/is-writable.ts';
import type { WorkerWatch } from '../db/workers/watch-workers.ts';
import type { Log } from '../log.ts';
import type { RedisHealth } from '../redis/watch-redis.ts';
import type { Temporal } from '../temporal/connection/open-temporal.ts';

export type Dependency = 'database' | 'redis' | 'temporal' | 'worker';
export type Health = Record<Dependency, 'up' | 'down'>;

/** The readiness that a load balancer asks for. */
export interface Readiness {
  isReady: boolean;
  /** The dependencies as of the latest check that has ended. */
  dependencies: Health;
}

export interface HealthCheck {
  /** The state of the gateway's dependencies, checked on demand and cached for a moment. Never rejects. */
  health(): Promise<Health>;
  /** Takes 200 ms at most, however slow a dependency is, because a late answer to a probe counts as none. */
  readiness(): Promise<Readiness>;
}

/** A dependency that responds later is down. */
const timeoutMs = 1_000;
/** How long a result is reused: the dependencies are checked no more often than this, however many probes come. */
const cachedMs = 500;
/** After this time a probe gets the result of the check before. */
const readinessMs = 200;
/**
 * A database that is silent for less than this leaves an api ready. All apis have the same database: on a machine that is busy for a
 * second a balancer would have none left. One that refuses connections is away at once.
 */
const silentMs = 3_000;

interface HealthDeps {
  database: Database;
  redisHealth: RedisHealth;
  temporal: Temporal;
  workerWatch: WorkerWatch;
  log: Log;
}

interface Checked {
  health: Health;
  /** Without regard to space: without any, reads are served, and the 503 of a call states what can be repeated. */
  isDatabaseWritable: boolean;
  /** The database gave no response. Only a response proves an outage: a refused connection, or a server that accepts no writes. */
  isDatabaseSilent: boolean;
}

/** Whether Temporal responds and has what workflows need. The latter is checked, and made, until it is complete. */
function createTemporalCheck({ temporal, log }: HealthDeps): () => Promise<boolean> {
  let isSetUp = false;
  let logged: string | undefined;
  return async () => {
    if (isSetUp) return temporal.isReachable(timeoutMs);
    const { made, problem } = await temporal.prepare(timeoutMs);
    if (made.length > 0) log.info({ made }, 'temporal: search attributes made');
    if (problem !== undefined && problem !== logged) log.error({ problem }, 'temporal: setup incomplete');
    logged = problem;
    isSetUp = problem === undefined;
    return isSetUp;
  };
}

async function check(
  { database, redisHealth, workerWatch }: HealthDeps,
  isTemporalUp: () => Promise<boolean>,
): Promise<Checked> {
  let isDatabaseSilent = false;
  const [databaseUp, isFull, temporalUp] = await Promise.all([
    withTimeout(isWritable(database), timeoutMs).catch((error: unknown) => {
      isDatabaseSilent = !isAnswered(error);
      return false;
    }),
    withTimeout(database.isFull(), timeoutMs).catch(() => false),
    withTimeout(isTemporalUp(), timeoutMs).catch(() => false),
  ]);
  const status = (up: boolean) => (up ? 'up' : 'down');
  return {
    isDatabaseWritable: databaseUp,
    health: {
      database: status(databaseUp && !isFull),
      redis: status(redisHealth.isUp()),
      temporal: status(temporalUp),
      worker: status(!workerWatch.isUnavailable()),
    },
    isDatabaseSilent,
  };
}

export function createHealthCheck(deps: HealthDeps): HealthCheck {
  const isTemporalUp = createTemporalCheck(deps);
  let latest: Checked | undefined;
  /** The start of the first check without a response, since the last one with. */
  let silentSince: number | undefined;
  const checked = cachedFor(cachedMs, async () => {
    const startedAt = performance.now();
    const result = await check(deps, isTemporalUp);
    // At the start there is nothing to wait for: an api that has never reached its database is not ready.
    if (!result.isDatabaseSilent) silentSince = undefined;
    else silentSince ??= latest === undefined ? Number.NEGATIVE_INFINITY : startedAt;
    latest = result;
    return result;
  });
  return {
    health: async () => (await checked()).health,
    async readiness() {
      const { health, isDatabaseWritable, isDatabaseSilent } = await withTimeout(checked(), readinessMs).catch(
        () => latest ?? checked(),
      );
      const isSilentBriefly = isDatabaseSilent && performance.now() - silentSince! < silentMs;
      return { isReady: isDatabaseWritable || isSilentBriefly, dependencies: health };
    },
  };
}
