import type { z } from 'zod';
import type { ListedJob } from '../../../../contracts/job-lists.ts';
import { type Job, type JobCosts, type JobOutcome, maxCallsOfOutcome } from '../../../../contracts/jobs.ts';
import { listFirstCallCosts } from '../../../../db/calls/list-call-costs.ts';
import type { JobRow } from '../../../../db/jobs/find-job.ts';
import type { JobResult, JobTotals } from '../../../../domain/job-state.ts';
import type { Deps } from '../../../ports.ts';

/** The costs of a settled job, as the client reads them. */
export const costsOf = (result: JobTotals): z.input<typeof JobCosts> => ({
  total_calls: result.total_calls,
  successful_calls: result.total_calls - result.failed_calls,
  failed_calls: result.failed_calls,
  total_tokens: result.total_tokens,
  total_cost_usd: Number(result.total_cost_usd),
  avg_latency_ms: result.total_calls === 0 ? 0 : Math.round(result.total_latency_ms / result.total_calls),
  credit_applied: result.credit_applied,
  credits_remaining: result.credits_remaining,
});

/** The answer about the end of a job: its costs, in USD, and the first calls that ran, in the order in which they were made. */
export async function outcomeOf(deps: Deps, jobId: string, result: JobResult): Promise<z.input<typeof JobOutcome>> {
  const calls = await listFirstCallCosts(deps.database, jobId, maxCallsOfOutcome);
  return {
    job_id: jobId,
    status: result.status,
    completed_at: result.completed_at,
    costs: costsOf(result),
    calls: calls.map((call) => ({
      call_id: call.call_id,
      purpose: call.purpose,
      model_group: call.model_group_used,
      tokens: call.total_tokens,
      latency_ms: call.latency_ms,
      error: call.error,
    })),
  };
}

export const serializeJob = (job: JobRow): z.input<typeof Job> => ({
  job_id: job.job_id,
  team_id: job.team_id,
  organization_id: job.organization_id,
  user_id: job.user_id,
  job_type: job.job_type,
  status: job.status,
  created_at: job.created_at.toISOString(),
  started_at: job.started_at?.toISOString() ?? null,
  completed_at: job.completed_at?.toISOString() ?? null,
  model_groups_used: job.model_groups_used,
  credit_applied: job.credit_applied,
  metadata: job.metadata,
  error_message: job.error_message,
  external_task_id: job.external_task_id,
});

/** With the sums that lists show. */
export const serializeListedJob = (job: JobRow): z.input<typeof ListedJob> => ({
  ...serializeJob(job),
  total_calls: job.total_calls,
  failed_calls: job.failed_calls,
  total_tokens: job.total_tokens,
  total_cost_usd: Number(job.total_cost_usd),
  credits_charged: job.credits_charged,
  duration_ms: job.completed_at && job.completed_at.getTime() - job.created_at.getTime(),
});
