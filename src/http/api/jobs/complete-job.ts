import { JobCompletion, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { completeJob as complete } from '../../../services/jobs/complete-job.ts';
import { route } from '../../route.ts';
import { serializeOutcome } from './serialize-job.ts';

export const completeJob = route(
  {
    operationId: 'completeJob',
    method: 'post',
    path: '/api/jobs/{job_id}/complete',
    summary: 'Complete a job',
    description:
      'Calls already in flight finish first, and count. A job that is completed without a failed call is charged, where the ' +
      'balance suffices: one credit, or by its use in the budget modes `consumption_usd` and `consumption_tokens`. ' +
      'Completing again with the same status gives the stored result.',
    tag: 'Jobs',
    access: { audience: ['team'] },
    params: JobParams,
    body: { schema: JobCompletion.meta({ example: { metadata: { reviewed: true } } }) },
    response: JobOutcome,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async (context) => serializeOutcome(await complete(context, context.params.job_id, context.body)),
);
