import { Job, JobParams } from '../../../contracts/jobs.ts';
import { findJob, type JobRow } from '../../../db/jobs/find-job.ts';
import { isFinished } from '../../../domain/job-state.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';
import { serializeJob } from './support/serialize-job.ts';

export const getJob = route(
  {
    method: 'get',
    path: '/api/jobs/{job_id}',
    summary: 'Read a job',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    params: JobParams,
    response: Job,
    errors: ['job_of_another_team', 'job_not_found'],
  },
  async ({ deps, caller, params }) =>
    serializeJob(await current(deps, await getJobForCaller(deps, caller, params.job_id))),
);

/** The workflow of an open job has the latest signals; its record follows. `docs/architecture.md`, "Reading" */
async function current(deps: Deps, job: JobRow): Promise<JobRow> {
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
