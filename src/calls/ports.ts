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
import type { QueuedCalls } from './queued-calls.ts';
import type { Retractions } from './retract-calls.ts';

/**
 * The most tokens that an answer may have, by team and model, as the last admission of this process found them. A model is
 * resolved by the statement that admits its call, after the tokens were reserved.
 */
export type OutputLimits = Map<string, number>;

/**
 * The upstream's list of models in the database, where the statement that admits a call reads what a model costs and how much it
 * generates at most. `spec 23.6`
 */
export interface ModelList {
  /** Whether the list may be read for a model that it does not have: the model may have been added since. */
  mayRead(): boolean;
  /** Reads and stores the list. A failure leaves what is stored. */
  read(): Promise<void>;
  /** The same in the background, if it is old. */
  refresh(): void;
}

/** What a call needs. Built by `src/deps.ts`. */
export interface CallDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  database: Database;
  callEvents: CallEvents;
  changes: ChangePublisher;
  queuedCalls: QueuedCalls;
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
  modelList: ModelList;
}
