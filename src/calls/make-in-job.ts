import { findPreviousJob } from '../db/calls/find-previous-job.ts';
import { closeToTask } from '../db/jobs/close-to-task.ts';
import { type ErrorCode, Refusal, refuse, Unavailable } from '../errors.ts';
import type { CallContext } from './call-context.ts';
import type { FoundTarget, KnownTarget, PreviousTarget, TaskTarget } from './call-target.ts';

/** A job that is closing refuses a call within milliseconds of its signal. Until then the request of a call is held that another job may take. */
export const mayBeRefusedMs = 10_000;

/** Each job that refuses the call is closed to its task first, so only jobs that other calls open and end meanwhile take more than two. */
const maxJobs = 10;

/** Makes a call with this id in this job. */
type Make<T> = (callId: string, target: KnownTarget) => Promise<T>;

type Context = Pick<CallContext, 'deps' | 'newId' | 'team'>;

/**
 * Makes a call in a job that the request does not name. One that its job refused, because the job is ending, is made again under a new id
 * in another job: `refusedBy` returns the job that refused it. A repetition of the request goes the same way, because it gets the same
 * ids.
 */
export async function makeInJob<T>(
  context: Context,
  target: FoundTarget,
  make: Make<T>,
  refusedBy: (made: T) => string | undefined,
): Promise<T> {
  return target.kind === 'task'
    ? retryInNextTaskJob(context, target, make, refusedBy)
    : makeInPreviousJob(context, target, make, refusedBy);
}

async function retryInNextTaskJob<T>(
  { deps, newId }: Context,
  target: TaskTarget,
  make: Make<T>,
  refusedBy: (made: T) => string | undefined,
): Promise<T> {
  for (let turn = 1; turn <= maxJobs; turn += 1) {
    const suffix = turn === 1 ? '' : ` ${turn}`;
    const newJob = { ...target.newJob, job_id: newId(`job${suffix}`) };
    const made = await make(newId(`call${suffix}`), { ...target, newJob });
    const jobId = refusedBy(made);
    if (jobId === undefined) return made;
    await closeToTask(deps.database, jobId);
  }
  throw new Unavailable('job');
}

/** The refusals of an admission to a job that is not open any more. */
const endedMeanwhile: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['job_finished', 'job_deadline_exceeded']);

async function makeInPreviousJob<T>(
  { deps, newId, team }: Context,
  { previousCallId, newJob, kind: _kind, ...ofCall }: PreviousTarget,
  make: Make<T>,
  refusedBy: (made: T) => string | undefined,
): Promise<T> {
  const makeInNewJob = (callId: string, jobId: string): Promise<T> => {
    if (!newJob) throw refuse('job_required');
    const { agent } = ofCall;
    return make(callId, { kind: 'single_call', newJob: { ...newJob, job_id: jobId }, ...(agent && { agent }) });
  };
  const callId = newId('call');
  const jobId = await findPreviousJob(deps.database, { callId, previousCallId, teamId: team.teamId });
  if (jobId === undefined) return makeInNewJob(callId, newId('job'));
  let made: T;
  try {
    made = await make(callId, { ...ofCall, kind: 'open_job', jobId, isReplaceable: true });
  } catch (error) {
    // Nothing was recorded under this id, so that a repetition of the request finds the call under it.
    if (error instanceof Refusal && endedMeanwhile.has(error.code)) return makeInNewJob(callId, newId('job'));
    throw error;
  }
  return refusedBy(made) === undefined ? made : makeInNewJob(newId('call 2'), newId('job 2'));
}
