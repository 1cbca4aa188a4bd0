import { JobCostBreakdown, JobParams } from '../../../contracts/jobs.ts';
import { readCosts } from '../../../services/jobs/read-costs.ts';
import { route } from '../../route.ts';
import { serializeCostBreakdown } from './serialize-costs.ts';

export const getCosts = route(
  {
    operationId: 'getJobCosts',
    method: 'get',
    path: '/api/jobs/{job_id}/costs',
    summary: 'Read what a job cost, call by call',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    params: JobParams,
    response: JobCostBreakdown,
    errors: ['job_of_another_team', 'job_not_found'],
  },
  async (context) => serializeCostBreakdown(await readCosts(context, context.params.job_id)),
);
