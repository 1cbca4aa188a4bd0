import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { JobEnd } from '../../src/domain/job-end.ts';
import type { FinalJobStatus, JobStatus } from '../../src/domain/job-state.ts';
import type { Metadata, MetadataVersion } from '../../src/domain/metadata.ts';
import type { RoundOfMaintenance } from './activities.ts';

// The signals and queries of the workflows. They carry ids and small values: prompts and answers never enter Temporal.

/** Signal: run one call of the job. */
export interface JobCall {
  call_id: string;
  /** Null for an alias: a direct model request uses no group. */
  model_group: string | null;
  /** The client's label of the call, for people who read the Temporal UI. */
  purpose?: string;
  /** The call of a single-call job, by the name that histories have. */
  opens_job?: boolean;
  /** What ends the open job with the call. Absent: nothing does. */
  end_job?: JobEnd;
  /** The job is completed when no call has followed the last one for so many seconds. Absent: the calls before decide on that. */
  turn_seconds?: number;
}

export interface UpdateMetadataSignal {
  command_id: string;
  metadata: Metadata;
}

export interface CompleteSignal {
  command_id: string;
  status: 'completed' | 'failed';
  metadata: Metadata | null;
  error_message: string | null;
  /** What an api has commanded (`src/auth/sealed-end.ts`). Without it the job ends as failed, free of charge. */
  sealed_end?: string;
}

export interface CancelSignal {
  command_id: string;
  reason: string | null;
  /** What an api has commanded. Without it the job was cancelled by an operator. */
  sealed_end?: string;
}

export interface ChangeDeadlineSignal {
  /** When the job ends if it is open: its deadline and the grace after it. Null: it has no deadline. */
  cutoff_at: number | null;
}

/** Query result: the state of an open job. Times are milliseconds since the epoch. */
export interface JobView {
  status: JobStatus;
  started_at: number | null;
  model_groups_used: string[];
  metadata: Metadata;
  updated_at: number;
}

export type Refused =
  | { accepted: false; reason: 'job_finished'; status: FinalJobStatus }
  | { accepted: false; reason: 'metadata_too_large' };

/** What the job decided on a command. */
export type Decision = { accepted: true } | Refused;

/** Query result: the decision on a command; if it was accepted, with the metadata after an update, or else the current ones. */
export type CommandDecision = ({ accepted: true } & MetadataVersion) | Refused;

export const llmCall = defineSignal<[JobCall]>('llmCall');
export const updateMetadata = defineSignal<[UpdateMetadataSignal]>('updateMetadata');
export const complete = defineSignal<[CompleteSignal]>('complete');
export const cancel = defineSignal<[CancelSignal]>('cancel');
/** The deadline in the record has changed. Only that is binding: the job reads it before it ends by it. */
export const changeDeadline = defineSignal<[ChangeDeadlineSignal]>('changeDeadline');

export const jobState = defineQuery<JobView>('jobState');
/** The decision on a command, by its id; null for an unknown one. Its name stays that by which processes of other versions query. */
export const commandDecision = defineQuery<CommandDecision | null, [string]>('commandOutcome');

/** The query of maintenance for what the latest round of this run has done; null before its end. */
export const lastRound = defineQuery<RoundOfMaintenance | null>('lastRound');

/** The signal to a webhook delivery to make the next attempt now. */
export const attemptNow = defineSignal('attemptNow');
