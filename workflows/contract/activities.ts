import type { DeliveryEnd } from '../../src/domain/delivery-state.ts';
import type { FinalJobStatus, JobEnder, JobResult } from '../../src/domain/job-state.ts';
import type { Metadata } from '../../src/domain/metadata.ts';

// The inputs and results of the activities. Times are milliseconds since the epoch.

export interface CallUpstreamInput {
  call_id: string;
  /** No call of the job came before. Absent: not known. */
  starts_job?: boolean;
  /** The first call of a job uses it, and no other. */
  job_started_at: number;
  /** The job ends with this call, or may: its completion does not wait for another signal. */
  ends_job?: boolean;
}

export interface CallUpstreamResult {
  /** Null: it succeeded. */
  error: string | null;
  /** The call succeeded, and its answer has tool calls. */
  has_tool_calls?: boolean;
  /** The call was stopped before a token was shown: a single-call job is cancelled with it. */
  is_unshown?: boolean;
  /** The call was retracted before a worker started it, and its client received an error. */
  retracted?: boolean;
  /** The end of the job, if the job was settled together with the call. */
  job?: JobResult;
}

export interface CloseCallInput {
  call_id: string;
  status: 'refused' | 'failed';
  error: string;
  /** The call had been admitted by its job: if no worker started it, it starts here before it ends, and its job with it. */
  job_started_at?: number;
}

export interface SaveMetadataInput {
  job_id: string;
  metadata: Metadata;
  updated_at: number;
}

export interface RecordCostInput {
  job_id: string;
}

export interface ReadCutoffInput {
  job_id: string;
}

export interface SettleJobInput {
  job_id: string;
  status: FinalJobStatus;
  error_message: string | null;
  cancel_reason: string | null;
  ended_by?: JobEnder;
  /** The command of a client or an admin. Without it the end has to be confirmed by the record: `src/domain/confirmed-end.ts`. */
  sealed_end?: string;
  metadata: Metadata;
  model_groups_used: string[];
  completed_at: number;
}

export interface DeliverWebhookInput {
  delivery_id: string;
  /** No other attempt is going to follow. */
  last: boolean;
}

export interface DeliverWebhookResult {
  status: DeliveryEnd | 'pending';
  /** How long the receiver asks to wait. */
  retry_after_ms?: number;
}

/** The steps of a round of maintenance. */
export type MaintenanceStep =
  | 'reconcileJobs'
  | 'sendUnsentCalls'
  | 'closeOrphanedCalls'
  | 'refillTeams'
  | 'rollBackUncreatedTeams'
  | 'syncTeams'
  | 'startOverdueDeliveries'
  | 'reconcileDeliveries'
  | 'rollUpCalls'
  | 'watchAttention'
  | 'deleteExpired';

/** How many rows each step has handled. A step is absent when the worker ended before it. */
export type RoundOfMaintenance = Partial<Record<MaintenanceStep, number | 'failed'>>;

/** The activities by the names that histories and the Temporal UI show. */
export interface Activities {
  callUpstream(input: CallUpstreamInput): Promise<CallUpstreamResult>;
  closeCall(input: CloseCallInput): Promise<void>;
  abortCalls(): Promise<void>;
  saveMetadata(input: SaveMetadataInput): Promise<void>;
  recordCost(input: RecordCostInput): Promise<void>;
  /** Milliseconds until the job ends by the deadline in its record, 0 or less once it is to end; null without a deadline. */
  readCutoff(input: ReadCutoffInput): Promise<number | null>;
  settleJob(input: SettleJobInput): Promise<JobResult>;

  deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult>;

  maintain(): Promise<RoundOfMaintenance>;
}
