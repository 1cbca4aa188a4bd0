import type { JobEnder } from '../../src/domain/job-state.ts';
import type { PendingEnd } from '../contract/workflows.ts';

/** The decision on a command. */
export const accepted = { accepted: true } as const;
export const tooLarge = { accepted: false, reason: 'metadata_too_large' } as const;
/** How a job ends that no client ends. */
export const completion = (ended_by: JobEnder): PendingEnd => ({
  status: 'completed',
  error_message: null,
  cancel_reason: null,
  ended_by,
});
export const failure = (error_message: string, ended_by: JobEnder): PendingEnd => ({
  status: 'failed',
  error_message,
  cancel_reason: null,
  ended_by,
});
export const cancelledWithCall: PendingEnd = {
  status: 'cancelled',
  error_message: null,
  cancel_reason: null,
  ended_by: 'call',
};
/** The job is ending already. */
export const finished = ({ status }: PendingEnd) => ({ accepted: false, reason: 'job_finished', status }) as const;
