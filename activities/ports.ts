import type { Secrets } from '../src/auth/secrets.ts';
import type { FairSemaphore } from '../src/concurrency/fair-semaphore.ts';
import type { Config } from '../src/config.ts';
import type { Database } from '../src/db/connection/database.ts';
import type { Price } from '../src/domain/pricing.ts';
import type { TeamRegistration } from '../src/litellm/team-registration.ts';
import type { Log } from '../src/log.ts';
import type { Metrics } from '../src/metrics/metrics.ts';
import type { CallEvents } from '../src/redis/call-events.ts';
import type { Cancellations } from '../src/redis/cancellations.ts';
import type { CompletionBatching } from '../src/redis/completion-batching.ts';
import type { Deliveries } from '../src/temporal/commands/deliveries.ts';
import type { Jobs } from '../src/temporal/commands/jobs.ts';
import type { Terminated } from '../src/temporal/commands/terminated-workflows.ts';
import type { UpstreamClient } from '../src/upstream/client.ts';
import type { WebhookSender } from '../src/webhooks/webhook-sender.ts';
import type { SpeculativeStarts } from './call-upstream/speculative-start.ts';

/** What the activities need of the world. */
export interface ActivityDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  secrets: Secrets;
  database: Database;
  callEvents: CallEvents;
  cancellations: Cancellations;
  completionBatching: CompletionBatching;
  speculativeStarts: SpeculativeStarts;
  upstream: UpstreamClient;
  /** The upstream's own price of a model, when it tells one. */
  modelPrice(model: string): Promise<Price | undefined>;
  registration: TeamRegistration;
  /** For the sweeps: jobs and calls that Temporal never heard of. */
  jobs: Pick<Jobs, 'start' | 'addCall'>;
  /** For the sweeps: what may still be open in the record although its workflow has ended. */
  terminatedJobs: Terminated;
  terminatedDeliveries: Terminated;
  deliveries: Deliveries;
  webhooks: WebhookSender;
  /** One line for each team. */
  settlementTurns: FairSemaphore;
}
