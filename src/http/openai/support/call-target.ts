import type { CallTarget } from '../../../calls/call-context.ts';
import { refuse } from '../../../errors.ts';
import { teamOf } from '../../../services/caller.ts';
import { newJob } from '../../../services/jobs/new-job.ts';
import type { RequestContext } from '../../route.ts';
import type { JobAssignment } from './job-assignment.ts';

/** The job of a call, for the engine. Throws for a call without a job whose team requires one. `spec 18.4` */
export function callTargetOf(context: RequestContext, assignment: JobAssignment): CallTarget {
  const { job, jobType, userId, metadata, endJob } = assignment;
  const ending = endJob && { endCondition: endJob };
  if (job.kind === 'job') return { kind: 'open_job', jobId: job.jobId, ...ending };
  const fields = { job_type: jobType, user_id: userId, metadata };
  if (job.kind === 'task')
    return { kind: 'task', newJob: newJob(context, { ...fields, external_task_id: job.externalTaskId }), ...ending };
  if (teamOf(context.caller).settings.jobless_calls === 'refuse') throw refuse('job_required');
  return { kind: 'single_call', newJob: newJob(context, fields) };
}
