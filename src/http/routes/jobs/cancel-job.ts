import { JobCancellation, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { route } from '../../route.ts';
import { endJob } from './end-job.ts';
import { findOwnJob } from './find-own-job.ts';

export const cancelJob = route(
  {
    method: 'post',
    path: '/api/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description: 'Calls in flight are aborted upstream and recorded with error `cancelled`. No credit is deducted.',
    tag: 'Jobs',
    auth: ['team', 'admin'],
    params: JobParams,
    body: JobCancellation,
    bodyOptional: true,
    response: JobOutcome,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async ({ deps, caller, params, body }) => {
    const job = await findOwnJob(deps, caller, params.job_id);
    return endJob(deps, job, 'cancelled', () => deps.jobs.cancel(job, body.reason ?? null));
  },
);
