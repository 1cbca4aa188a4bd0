import type { DeliveryEnd } from '../../src/domain/delivery-state.ts';
import type { FinalJobStatus, JobEnder, JobResult } from '../../src/domain/job-state.ts';
import type { Metadata, MetadataVersion } from '../../src/domain/metadata.ts';
import type { Decision, JobCall, JobView } from './messages.ts';

// The inputs and results of the workflows. A run of a job continues as new with the same kind of input.

export interface JobIdentity {
  job_id: string;
  team_id: string;
  organization_id: string;
  job_type: string;
  /** A create-and-call job: it ends with the call that it was created with. */
  single_call: boolean;
  /** A call made it for its task: idle, it may have been completed by its last answer. */
  for_task: boolean;
}

/** How the job is to end once the calls in flight have ended. */
export interface PendingEnd {
  status: FinalJobStatus;
  error_message: string | null;
  cancel_reason: string | null;
  ended_by?: JobEnder;
  /** The command of a client or an admin that the job ends by, sealed: it passes through the workflow as it is. */
  sealed_end?: string;
  /** The job's metadata once it has ended. Absent: unchanged. */
  metadata?: Metadata;
}

/** The state of a job between two of its runs. Fields that a newer version has added are passed on to the next run. */
export interface JobSnapshot {
  /** The version of the workflow code that the run replays with: `docs/decisions/0007`. */
  version: number;
  job: JobIdentity;
  view: JobView;
  ending: PendingEnd | null;
  /** Calls that the next run has to start. */
  deferred_calls: JobCall[];
  /** The ids of calls whose workflow was terminated: this run ends them. */
  terminated_calls?: string[];
  /** The ids of the latest calls that ended or were refused. */
  recent_call_ids: string[];
  /** The decisions by command id. */
  decisions: [string, Decision][];
  last_activity_at: number;
  /** The call that ended last succeeded, and its answer has no tool calls. */
  is_answered: boolean;
  /** Of the newest call that has it and has ended. Absent: no call has. */
  turn_seconds?: number;
  /** When the job ends if it is open. Absent: it has no deadline. */
  cutoff_at?: number;
}

/** The snapshot of a job that no run has had yet. `lost`: what another workflow had of it, and lost. */
export const newJobSnapshot = (
  version: number,
  job: JobIdentity,
  view: JobView,
  lost: Partial<Omit<JobSnapshot, 'version' | 'job' | 'view' | 'decisions'>> = {},
): JobSnapshot => ({
  version,
  job,
  view,
  ending: null,
  deferred_calls: [],
  recent_call_ids: [],
  decisions: [],
  last_activity_at: view.updated_at,
  is_answered: false,
  ...lost,
});

export interface JobInput {
  state: JobSnapshot;
  idle_timeout_ms: number;
  /** History events after which a run continues as new as soon as none of its calls is running. */
  soft_history_limit?: number;
  /** History events after which it continues as new even if it has to wait for its calls first. */
  hard_history_limit?: number;
}

export interface JobWorkflowResult extends JobResult {
  /** The ids of the latest accepted commands, for clients that query their decision after the end. */
  accepted_commands: string[];
  /** The metadata after the latest updates, by the id of the command. */
  metadata_updates: Record<string, MetadataVersion>;
}

export type JobWorkflow = (input: JobInput) => Promise<JobWorkflowResult>;

export interface MaintenanceInput {
  /** Milliseconds between the end of a round and the next one. */
  pause_ms: number;
  /** History events after which a run continues as new. */
  history_limit?: number;
}

export type MaintenanceWorkflow = (input: MaintenanceInput) => Promise<never>;

export interface DeliveryInput {
  delivery_id: string;
  /** Milliseconds before each attempt, counted from the end of the one before. `spec 11.3` */
  delays_ms: number[];
}

export type DeliveryWorkflow = (input: DeliveryInput) => Promise<DeliveryEnd>;
