import { closeToTask } from '../db/jobs/close-to-task.ts';
import { Unavailable } from '../errors.ts';
import type { CallContext } from './call-context.ts';
import type { TaskTarget } from './call-target.ts';

/** A job that is closing refuses a call of its task within milliseconds of its signal. Until then the request is held. */
export const mayBeRefusedMs = 10_000;

/** Each job that refuses the call is closed to its task first, so only jobs that other calls open and end meanwhile take more than two. */
const maxJobs = 10;

/**
 * Makes a call of a task. One that its job refused, because the job is ending, is made again under a new id in the next job of the
 * task: `refusedBy` returns the job that refused it. A repetition of the request goes the same way, because it gets the same ids.
 */
export async function retryInNextTaskJob<T>(
  { deps, newId }: Pick<CallContext, 'deps' | 'newId'>,
  target: TaskTarget,
  make: (callId: string, target: TaskTarget) => Promise<T>,
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
