import type { Passwords } from '../auth/passwords.ts';
import type { Secrets } from '../auth/secrets.ts';
import type { CallSubscriptions } from '../calls/call-subscriptions.ts';
import type { ModelList, OutputLimits } from '../calls/ports.ts';
import type { QueuedCalls } from '../calls/queued-calls.ts';
import type { Retractions } from '../calls/retract-calls.ts';
import type { CachedByKey } from '../concurrency/cached-for.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/connection/database.ts';
import type { WorkerWatch } from '../db/workers/watch-workers.ts';
import type { HealthCheck } from '../health/health.ts';
import type { UpstreamWatch } from '../health/watch-upstream.ts';
import type { ApiMeasures } from '../holders/measures.ts';
import type { StoredBytes } from '../holders/stored-bytes.ts';
import type { TeamRegistration } from '../litellm/team-registration.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OidcClient } from '../oidc/oidc-client.ts';
import type { CallEvents } from '../redis/call-events.ts';
import type { ChangePublisher } from '../redis/change-channel.ts';
import type { RedisConnections } from '../redis/connection.ts';
import type { RateLimits } from '../redis/limits/rate-limits.ts';
import type { LostStreams } from '../redis/lost-streams.ts';
import type { PubSub } from '../redis/pubsub.ts';
import type { RedisHealth } from '../redis/watch-redis.ts';
import type { Deliveries } from '../temporal/commands/deliveries.ts';
import type { Jobs } from '../temporal/commands/jobs.ts';
import type { Temporal } from '../temporal/connection/open-temporal.ts';
import type { KeyUses } from './keys/key-uses.ts';

/** What a use case may use. Built by `src/deps.ts`. */
export interface ServiceDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  secrets: Secrets;
  database: Database;
  redis: RedisConnections;
  pubsub: PubSub;
  lostStreams: LostStreams;
  callEvents: CallEvents;
  temporal: Temporal;
  registration: TeamRegistration;
  deliveries: Deliveries;
  storedBytes: StoredBytes;
  changes: ChangePublisher;
  queuedCalls: QueuedCalls;
  redisHealth: RedisHealth;
  rateLimits: RateLimits;
  outputLimits: OutputLimits;
  passwords: Passwords;
  /** Undefined: nobody signs in by OpenID Connect. */
  oidc: OidcClient | undefined;
  measures: ApiMeasures;
  callSubscriptions: CallSubscriptions;
  workerWatch: WorkerWatch;
  upstreamWatch: UpstreamWatch;
  health: HealthCheck['health'];
  readiness: HealthCheck['readiness'];
  /** Figures of the console, read once for all requests of a moment. */
  figures: CachedByKey;
  jobs: Jobs;
  keyUses: Pick<KeyUses, 'note'>;
  retractions: Retractions;
  modelList: ModelList;
}
