import type { Config } from '../config.ts';
import type { Database } from '../db/connection/database.ts';
import type { ApiMeasures } from '../holders/measures.ts';
import type { StoredBytes } from '../holders/stored-bytes.ts';
import type { WorkerWatch } from '../liveness/availability.ts';
import type { RedisHealth } from '../liveness/redis-watch.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { CallEvents } from '../redis/call-events.ts';
import type { ChangePublisher } from '../redis/changes.ts';
import type { RateLimits } from '../redis/limits/rate-limits.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';
import type { Jobs } from '../temporal/commands/jobs.ts';
import type { CallSubscriptions } from './call-subscriptions.ts';
import type { Retractions } from './retract-calls.ts';
import type { OutputLimits } from './token-budget.ts';

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
