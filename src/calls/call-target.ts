import type { NewJob } from '../db/jobs/insert-job.ts';
import type { EndByCall, JobEnd } from '../domain/job-end.ts';

/** The job that a call belongs to. */
export type CallTarget =
  /** An open job. `jobEnd`: when the call ends it; absent, it does not. */
  | { kind: 'open_job'; jobId: string; jobEnd?: JobEnd }
  /** A single-call job, which is created for the call and ends with it. */
  | { kind: 'single_call'; newJob: NewJob }
  | TaskTarget;

/** The open job of a task, or else a new one. */
export interface TaskTarget {
  kind: 'task';
  newJob: NewJob;
  jobEnd?: JobEnd;
}

/** A call in its job, and how it may end the job. */
export interface CallInJob extends EndByCall {
  jobId: string;
}

export const inJob = (target: CallTarget, jobId: string): CallInJob => ({
  jobId,
  isSingleCall: target.kind === 'single_call',
  jobEnd: jobEndOf(target),
});

export const jobEndOf = (target: CallTarget): JobEnd | null => ('jobEnd' in target && target.jobEnd) || null;
