import type { Secrets } from '../src/auth/secrets.ts';
import type { QueuedCalls } from '../src/calls/queued-calls.ts';
import type { StopRequests } from '../src/calls/stop-requests.ts';
import type { FairSemaphore } from '../src/concurrency/fair-semaphore.ts';
import type { Config } from '../src/config.ts';
import type { Database } from '../src/db/connection/database.ts';
import type { Price } from '../src/domain/pricing.ts';
import type { WorkerMeasures } from '../src/holders/measures.ts';
import type { StoredBytes } from '../src/holders/stored-bytes.ts';
import type { RestoreTeam } from '../src/litellm/restore-team.ts';
import type { TeamRegistration } from '../src/litellm/team-registration.ts';
import type { Log } from '../src/log.ts';
import type { Metrics } from '../src/metrics/metrics.ts';
import type { CallEvents } from '../src/redis/call-events.ts';
import type { Cancellations } from '../src/redis/cancellations.ts';
import type { ChangePublisher } from '../src/redis/change-channel.ts';
import type { Dependencies } from '../src/services/operation/attention-items.ts';
import type { Deliveries } from '../src/temporal/commands/deliveries.ts';
import type { Jobs } from '../src/temporal/commands/jobs.ts';
import type { WorkflowState } from '../src/temporal/commands/workflow-state.ts';
import type { Tracing } from '../src/tracing/tracing.ts';
import type { UpstreamClient } from '../src/upstream/client.ts';
import type { RefusedFields } from '../src/upstream/refused-fields.ts';
import type { WebhookSender } from '../src/webhook-delivery/webhook-sender.ts';
import type { CallUpstreamInput } from '../workflows/contract/activities.ts';
import type { EarlyAnswer } from './call-upstream/early-answer.ts';

/** What the activities depend on. */
export interface ActivityDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  /** Undefined: there are no traces. */
  tracing: Tracing | undefined;
  secrets: Secrets;
  database: Database;
  callEvents: CallEvents;
  changes: ChangePublisher;
  cancellations: Cancellations;
  stopRequests: Pick<StopRequests, 'subscribe'>;
  speculativeStarts: SpeculativeStarts;
  queuedCalls: Pick<QueuedCalls, 'subscribe'>;
  upstream: UpstreamClient;
  refusedFields: RefusedFields;
  /** The upstream's own price of a model, if it has one. */
  modelPrice(model: string): Promise<Price | undefined>;
  registration: TeamRegistration;
  restoreTeam: RestoreTeam;
  /** Maintenance resumes jobs that have lost their workflow, and sends calls and deadlines that were recorded and never sent to Temporal. */
  jobs: Pick<Jobs, 'resume' | 'addCall' | 'changeDeadline'>;
  /** Maintenance reads what Temporal has of the workflows of open rows. Both functions throw `Unavailable`. */
  workflows: {
    listRunning(workflowIds: readonly string[]): Promise<Set<string>>;
    stateOf(workflowId: string): Promise<WorkflowState>;
  };
  deliveries: Deliveries;
  /** The dependencies whose state this process knows, besides those without which no maintenance runs. */
  dependencies(): Dependencies;
  storedBytes: StoredBytes;
  webhooks: WebhookSender;
  measures: WorkerMeasures;
  /** Limits the settlements that run at once, by team. */
  settlementSemaphore: FairSemaphore;
}

/** One attempt of a worker at a call: one execution of the activity. */
export interface WorkerAttempt {
  input: CallUpstreamInput;
  /** Temporal's count of the attempt, from 1. */
  workerAttempt: number;
  /** The workflow of the call's job. */
  workflowId: string;
  /** Aborts when Temporal cancels the attempt, or hands the call over to another attempt. */
  cancellation: AbortSignal;
  /** The answer that was requested before Temporal gave this worker the call. */
  early?: EarlyAnswer | undefined;
}

/**
 * Requests the answer to a call as soon as it is in the record, while its signal, its workflow task and its activity are on their way
 * to this worker. An optimisation: docs/optimisations/speculative-start.md.
 */
export interface SpeculativeStarts {
  /** A call is on its way, presumably to this worker. `request` is called if that has been right so far. */
  expect(callId: string, request: () => Promise<EarlyAnswer | undefined>): void;
  /** Temporal has given the call to this worker. Resolves with its early answer, if there is one. */
  take(callId: string, workerAttempt: number): Promise<EarlyAnswer | undefined>;
  /** The attempt that has taken the answer is over. */
  leave(callId: string, early: EarlyAnswer | undefined): void;
  /** The call will be given to no worker. */
  discard(callId: string): void;
  /**
   * No answer is requested early any more: the worker is shutting down. Resolves when those that were requested are taken or discarded,
   * within five seconds: until then the worker has to accept activities.
   */
  close(): Promise<void>;
}
