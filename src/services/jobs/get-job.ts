import { type FoundJob, findJob, type JobRow } from '../../db/jobs/find-job.ts';
import { isFinished } from '../../domain/job-state.ts';
import { refuse } from '../../errors.ts';
import { requireOwnRecord } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** The job, if the caller may see it: an unknown job is a 404, another team's a 403. An admin sees every job. `spec 3.2` */
export async function getJobForCaller(
  { deps, caller }: Pick<ServiceContext, 'deps' | 'caller'>,
  jobId: string,
): Promise<FoundJob> {
  const job = await findJob(deps.database, jobId);
  if (!job) throw refuse('job_not_found', jobId);
  requireOwnRecord(caller, job, 'job_of_another_team');
  return job;
}

/** The job as it is now. The workflow of an open job has the latest signals; its record follows. `docs/architecture.md`, "Reading" */
export async function getJob(context: ServiceContext, jobId: string): Promise<JobRow> {
  const { deps } = context;
  const job = await getJobForCaller(context, jobId);
  if (isFinished(job.status)) return job;
  const view = await deps.jobs.state(job.job_id);
  if (!view) return job;
  if (isFinished(view.status)) return (await findJob(deps.database, job.job_id)) ?? job;
  return {
    ...job,
    status: view.status,
    started_at: view.started_at === null ? null : new Date(view.started_at),
    model_groups_used: view.model_groups_used,
    metadata: view.metadata,
  };
}
