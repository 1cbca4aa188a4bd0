import type { Secrets } from '../src/auth/secrets.ts';
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
import type { Deliveries } from '../src/temporal/commands/deliveries.ts';
import type { Jobs } from '../src/temporal/commands/jobs.ts';
import type { WorkflowState } from '../src/temporal/commands/workflow-state.ts';
import type { UpstreamClient } from '../src/upstream/client.ts';
import type { RefusedFields } from '../src/upstream/refused-fields.ts';
import type { WebhookSender } from '../src/webhook-delivery/webhook-sender.ts';
import type { CallUpstreamInput, CallUpstreamResult } from '../workflows/contract/activities.ts';

/** What the activities depend on. */
export interface ActivityDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  secrets: Secrets;
  database: Database;
  callEvents: CallEvents;
  changes: ChangePublisher;
  cancellations: Cancellations;
  stopRequests: Pick<StopRequests, 'subscribe'>;
  speculativeStarts: SpeculativeStarts;
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
}

/**
 * Starts a call's first attempt as soon as a workflow of this worker has scheduled it, while Temporal still writes that down. An
 * optimisation: docs/optimisations/speculative-start.md.
 */
export interface SpeculativeStarts {
  /** A workflow of this worker has scheduled the call; the server has not confirmed it yet. Without `start` the call is only counted. */
  schedule(callId: string, start?: () => SpeculativeExecution): void;
  /** The server has given this worker the attempt. Returns the result of the speculative execution, if there is one. */
  confirm(attempt: WorkerAttempt): Promise<CallUpstreamResult> | undefined;
  /** No call is started speculatively any more: the worker is shutting down. */
  close(): void;
}

/** An attempt that is executed before the server has given it to this worker. */
export interface SpeculativeExecution {
  /** The server has given this worker the attempt, and cancels it by `cancellation`. */
  confirm(cancellation: AbortSignal): void;
  /** The server has not given this worker the attempt. The call is as it was before. */
  discard(): void;
  /** Rejects when the attempt is discarded, and as `executeCall` does. */
  result: Promise<CallUpstreamResult>;
}
