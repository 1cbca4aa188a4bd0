import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Metadata } from '../../src/domain/metadata.ts';
import type { JobCall, JobView, Verdict } from '../job/job-state.ts';

// The signals and queries of a job. They carry ids and small facts only: prompts and answers never enter Temporal.

export interface UpdateMetadataSignal {
  command_id: string;
  metadata: Metadata;
}

export interface CompleteSignal {
  command_id: string;
  status: 'completed' | 'failed';
  metadata: Metadata | null;
  error_message: string | null;
}

export interface CancelSignal {
  command_id: string;
  reason: string | null;
  /** Set when an admin cancels: the entry that the statement ending the job writes into the audit log (`src/db/audit/audit-entry.ts`). */
  audit_entry?: string | null;
}

export const llmCall = defineSignal<[JobCall]>('llmCall');
export const updateMetadata = defineSignal<[UpdateMetadataSignal]>('updateMetadata');
export const complete = defineSignal<[CompleteSignal]>('complete');
export const cancel = defineSignal<[CancelSignal]>('cancel');

export const jobState = defineQuery<JobView>('jobState');
/** The verdict on a command, by its id; null for an unknown one. */
export const commandOutcome = defineQuery<Verdict | null, [string]>('commandOutcome');

/** To a webhook delivery: make the next attempt now. */
export const attemptNow = defineSignal('attemptNow');
