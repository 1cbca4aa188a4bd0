import { JobParams, JobWithBudget } from '../../../contracts/jobs.ts';
import { getJob as findJob } from '../../../services/jobs/get-job.ts';
import { route } from '../../route.ts';
import { serializeBudget } from './serialize-budget.ts';
import { serializeJob } from './serialize-job.ts';

export const getJob = route(
  {
    operationId: 'getJob',
    method: 'get',
    path: '/api/jobs/{job_id}',
    summary: 'Read a job',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    params: JobParams,
    response: JobWithBudget,
    errors: ['job_of_another_team', 'job_not_found'],
  },
  async (context) => {
    const job = await findJob(context, context.params.job_id);
    return { ...serializeJob(job), ...serializeBudget(job.budget) };
  },
);
