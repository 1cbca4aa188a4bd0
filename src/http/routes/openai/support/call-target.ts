import type { CallTarget } from '../../../../calls/call-context.ts';
import { invalid } from '../../../../errors.ts';
import type { RequestContext } from '../../../route.ts';
import { newJob } from '../../jobs/support/new-job.ts';
import type { JobAssignment } from './job-assignment.ts';

/** The job of a call, for the engine. */
export function callTargetOf(context: RequestContext, assignment: JobAssignment): CallTarget {
  const { job, endJob } = assignment;
  if (job.kind === 'task') return admitTaskCall(assignment);
  if (job.kind === 'job') {
    if (endJob) throw notBuiltYet('x-job-end');
    return { jobId: job.jobId };
  }
  const { jobType, userId, metadata } = assignment;
  return { newJob: newJob(context, { job_type: jobType, user_id: userId, metadata }) };
}

/** Calls of a task, and calls that end an open job: not built yet. `spec 17.2` and `spec 17.6` */
function admitTaskCall({ endJob }: JobAssignment): CallTarget {
  throw notBuiltYet(endJob ? 'x-job-end' : 'x-external-task-id');
}

const notBuiltYet = (header: string) => invalid(['header', header], 'Not supported yet', 'unsupported_value');
