import { AcceptedJob, JobCompletion, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { completeJob as complete, submitCompletion } from '../../../services/jobs/complete-job.ts';
import { Accepted } from '../../reply.ts';
import { route } from '../../route.ts';
import { preferenceOf } from '../calls/accepted-call.ts';
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
    accepted: AcceptedJob,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async (context) => {
    const { params, body } = context;
    const preference = preferenceOf(context);
    if (!preference) return serializeOutcome(await complete(context, params.job_id, body));
    const job = await submitCompletion(context, params.job_id, body, preference.waitMs);
    if (job.result) return serializeOutcome(job);
    return new Accepted({ job_id: job.jobId, status: job.status }, `/api/jobs/${job.jobId}`);
  },
);
