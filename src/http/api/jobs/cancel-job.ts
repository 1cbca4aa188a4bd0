import { JobCancellation, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { idFrom } from '../../idempotency/idempotency-key.ts';
import { type RequestContext, route } from '../../route.ts';
import { endJob } from './support/end-job.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';

export const cancelJob = route(
  {
    method: 'post',
    path: '/api/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description:
      'Calls in flight are aborted upstream and recorded with error `cancelled`, also where a completion waits for them. No credit is deducted.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    params: JobParams,
    body: { schema: JobCancellation, isOptional: true },
    response: JobOutcome,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
    example: {
      body: { reason: 'The report was retracted' },
      response: {
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
    },
  },
  async (context) => {
    const { deps, caller, params, body } = context;
    const job = await getJobForCaller(deps, caller, params.job_id);
    const auditEntry = caller.kind === 'team' ? undefined : cancellation(context, job.job_id);
    const command = { reason: body.reason ?? null, auditEntry };
    return endJob(context, job, 'cancelled', (wait) => deps.jobs.cancel(job, command, wait));
  },
);

/** An admin's cancellation is audited, a team's cancellation of its own job is not. The statement that ends the job writes the entry. */
const cancellation = (context: RequestContext, jobId: string): string =>
  auditEntry(idFrom(jobId)('cancelled'), context, {
    action: 'cancelled_job',
    resource_type: 'job',
    resource_id: jobId,
  });
