import { Job, JobParams } from '../../../contracts/jobs.ts';
import { getJob as findJob } from '../../../services/jobs/get-job.ts';
import { route } from '../../route.ts';
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
    response: Job,
    errors: ['job_of_another_team', 'job_not_found'],
  },
  async (context) => serializeJob(await findJob(context, context.params.job_id)),
);
