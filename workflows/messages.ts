import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Metadata } from '../src/domain/metadata.ts';
import type { JobCall, JobView, Verdict } from './job-state.ts';

// What can be said to a job, and asked of it. Ids and small facts only: prompts and answers never enter Temporal.

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
  /** Where it is an admin who cancels: what the statement that ends the job writes into the audit log (`src/db/audit.ts`). */
  audit_entry?: string | null;
}

export const llmCall = defineSignal<[JobCall]>('llmCall');
export const updateMetadata = defineSignal<[UpdateMetadataSignal]>('updateMetadata');
export const complete = defineSignal<[CompleteSignal]>('complete');
export const cancel = defineSignal<[CancelSignal]>('cancel');

export const jobState = defineQuery<JobView>('jobState');
/** The verdict on a command, by its id; null for one that was never heard of. */
export const commandOutcome = defineQuery<Verdict | null, [string]>('commandOutcome');

/** To a delivery of a webhook: not to wait for the next attempt's time. */
export const attemptNow = defineSignal('attemptNow');
