import type { Config } from '../config.ts';
import type { Database } from '../db/connection/database.ts';
import type { WorkerWatch } from '../db/workers/watch-workers.ts';
import type { ApiMeasures } from '../holders/measures.ts';
import type { StoredBytes } from '../holders/stored-bytes.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { CallEvents } from '../redis/call-events.ts';
import type { ChangePublisher } from '../redis/change-channel.ts';
import type { RateLimits } from '../redis/limits/rate-limits.ts';
import type { RedisHealth } from '../redis/watch-redis.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';
import type { Jobs } from '../temporal/commands/jobs.ts';
import type { CallSubscriptions } from './call-subscriptions.ts';
import type { Retractions } from './retract-calls.ts';

/**
 * The most tokens that an answer may have, by team and model, as the last admission of this process found them. A model is
 * resolved by the statement that admits its call, after the tokens were reserved.
 */
export type OutputLimits = Map<string, number>;

/** What a call needs. Built by `src/deps.ts`. */
export interface CallDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  database: Database;
  callEvents: CallEvents;
  changes: ChangePublisher;
  callSubscriptions: CallSubscriptions;
  redisHealth: RedisHealth;
  workerWatch: WorkerWatch;
  rateLimits: RateLimits;
  measures: Pick<ApiMeasures, 'calls'>;
  outputLimits: OutputLimits;
  jobs: Jobs;
  deliveries: Deliveries;
  storedBytes: StoredBytes;
  retractions: Retractions;
}
