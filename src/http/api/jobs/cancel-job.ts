import { JobCancellation, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { cancelJob as cancel } from '../../../services/jobs/cancel-job.ts';
import { route } from '../../route.ts';
import { serializeOutcome } from './serialize-job.ts';

export const cancelJob = route(
  {
    operationId: 'cancelJob',
    method: 'post',
    path: '/api/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description:
      'Calls in flight are aborted upstream and recorded with error `cancelled`, also where a completion waits for them. No credit is deducted.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    params: JobParams,
    body: { schema: JobCancellation.meta({ example: { reason: 'The report was retracted' } }), isOptional: true },
    response: JobOutcome.meta({
      example: {
        status: 'cancelled',
        costs: {
          total_calls: 0,
          successful_calls: 0,
          failed_calls: 0,
          total_tokens: 0,
          total_cost_usd: 0,
          avg_latency_ms: 0,
          credit_applied: false,
          credits_remaining: 5,
        },
        calls: [],
      },
    }),
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async (context) => {
    const { params, body } = context;
    return serializeOutcome(await cancel(context, params.job_id, body.reason ?? null));
  },
);
