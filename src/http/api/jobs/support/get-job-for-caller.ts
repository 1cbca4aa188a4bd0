import { findJob, type JobRow } from '../../../../db/jobs/find-job.ts';
import { refuse } from '../../../../errors.ts';
import type { Caller } from '../../../../services/caller.ts';
import type { Deps } from '../../../ports.ts';

/** The job, if the caller may see it: an unknown job is a 404, another team's a 403. An admin sees every job. `spec 3.2` */
export async function getJobForCaller(deps: Deps, caller: Caller, jobId: string): Promise<JobRow> {
  const job = await findJob(deps.database, jobId);
  if (!job) throw refuse('job_not_found', jobId);
  if (caller.kind === 'team' && caller.teamId !== job.team_id) throw refuse('job_of_another_team');
  return job;
}
