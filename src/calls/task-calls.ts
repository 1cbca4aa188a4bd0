import { closeToTask } from '../db/jobs/close-to-task.ts';
import { Unavailable } from '../errors.ts';
import type { CallContext, CallTarget } from './call-context.ts';

/** Each job that refuses the call is closed to its task first, so only jobs that other calls open and end meanwhile take more than two. */
const mostJobs = 10;

/**
 * Makes a call under a new id. A call of a task that its job refused, because the job is ending, is made again in the next job of
 * the task: `refusedBy` returns the job that refused it. A repetition of the request goes the same way, because it gets the same ids.
 */
export async function inJobThatAccepts<T>(
  { deps, newId }: Pick<CallContext, 'deps' | 'newId'>,
  target: CallTarget,
  make: (callId: string, target: CallTarget) => Promise<T>,
  refusedBy: (made: T) => string | undefined,
): Promise<T> {
  if (!('task' in target)) return make(newId('call'), target);
  for (let turn = 1; turn <= mostJobs; turn += 1) {
    const suffix = turn === 1 ? '' : ` ${turn}`;
    const task = { ...target.task, job_id: newId(`job${suffix}`) };
    const made = await make(newId(`call${suffix}`), { ...target, task });
    const jobId = refusedBy(made);
    if (jobId === undefined) return made;
    await closeToTask(deps.database, jobId);
  }
  throw new Unavailable('job');
}
