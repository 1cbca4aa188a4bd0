import type { NewJob } from '../db/jobs/insert-job.ts';
import type { CallAgent } from '../domain/agent.ts';
import type { EndByCall, JobEnd, RequestedEnd } from '../domain/job-end.ts';

/** What a call has of its agent, and how it ends its job if that is open. */
interface CallOfAgent extends RequestedEnd {
  agent?: CallAgent;
}

/** The job that a call belongs to. */
export type CallTarget = KnownTarget | PreviousTarget;

/** A target whose job is found when the call is made. */
export type FoundTarget = TaskTarget | PreviousTarget;

/** A target that a call can be admitted to. */
export type KnownTarget = OpenJobTarget | SingleCallTarget | TaskTarget;

interface OpenJobTarget extends CallOfAgent {
  kind: 'open_job';
  jobId: string;
  /** The call is made in another job if this one refuses it: the request does not name it. */
  isReplaceable?: boolean;
}

/** A single-call job, which is created for the call and ends with it. */
interface SingleCallTarget {
  kind: 'single_call';
  newJob: NewJob;
  agent?: CallAgent;
}

/** The open job of a task, or else a new one. */
export interface TaskTarget extends CallOfAgent {
  kind: 'task';
  newJob: NewJob;
}

/** The job of an earlier call of the team, if it is open and no single-call job; else a single-call job. `spec 27.6` */
export interface PreviousTarget extends CallOfAgent {
  kind: 'previous';
  previousCallId: string;
  /** Null: the team refuses calls without a job. */
  newJob: NewJob | null;
}

/** A call in its job, and how it may end the job. */
export interface CallInJob extends EndByCall {
  jobId: string;
}

export const inJob = (target: KnownTarget, jobId: string): CallInJob => ({
  jobId,
  isSingleCall: target.kind === 'single_call',
  jobEnd: jobEndOf(target),
});

export const jobEndOf = (target: KnownTarget): JobEnd | null => ('jobEnd' in target && target.jobEnd) || null;

export const turnSecondsOf = (target: KnownTarget): number | null =>
  ('turnSeconds' in target && target.turnSeconds) || null;

/** Whether the request itself does not say which job it is: another one may take the call. */
export const isFound = (target: CallTarget): target is FoundTarget =>
  target.kind === 'task' || target.kind === 'previous';

/** Whether a call that its job refuses, because the job is ending, is made again in another job. */
export const isReplaceable = (target: KnownTarget): boolean =>
  target.kind === 'task' || (target.kind === 'open_job' && target.isReplaceable === true);
