import type { z } from 'zod';
import type { ListedJob, TeamJobs } from '../../../contracts/job-lists.ts';
import type { Job, JobCosts, JobOutcome } from '../../../contracts/jobs.ts';
import type { JobRow } from '../../../db/jobs/find-job.ts';
import { callErrorCode } from '../../../domain/call-error-code.ts';
import { isFinished, type JobTotals } from '../../../domain/job-state.ts';
import type { EndedJob } from '../../../services/jobs/end-job.ts';

/** The costs of a settled job, as the client reads them. */
export const serializeCosts = (result: JobTotals): z.input<typeof JobCosts> => ({
  total_calls: result.total_calls,
  successful_calls: result.total_calls - result.failed_calls,
  failed_calls: result.failed_calls,
  total_tokens: result.total_tokens,
  total_cost_usd: Number(result.total_cost_usd),
  avg_latency_ms: result.total_calls === 0 ? 0 : Math.round(result.total_latency_ms / result.total_calls),
  credit_applied: result.credit_applied,
  credits_remaining: result.credits_remaining,
  ...result.terms,
});

/** The answer about the end of a job: its costs, in USD, and the first calls that ran, in the order in which they were made. */
export const serializeOutcome = ({ jobId, result, calls }: EndedJob): z.input<typeof JobOutcome> => ({
  job_id: jobId,
  status: result.status,
  completed_at: result.completed_at,
  costs: serializeCosts(result),
  calls: calls.map((call) => ({
    call_id: call.call_id,
    purpose: call.purpose,
    model_group: call.model_group_used,
    tokens: call.total_tokens,
    latency_ms: call.latency_ms,
    error: call.error,
    error_code: callErrorCode(call),
  })),
});

/** Only the jobs of further keys have the field `key_id`, and only open ones with a reservation `credits_held`: `spec 24.3`. */
const optional = ({ key_id, credits_held, status }: JobRow) => ({
  ...(key_id !== null && { key_id }),
  ...(credits_held !== null && !isFinished(status) && { credits_held }),
});

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
  ended_by: job.ended_by,
  external_task_id: job.external_task_id,
  ...optional(job),
});

/** The job with the sums that lists show. */
export const serializeListedJob = (job: JobRow): z.input<typeof ListedJob> => ({
  ...serializeJob(job),
  total_calls: job.total_calls,
  failed_calls: job.failed_calls,
  total_tokens: job.total_tokens,
  total_cost_usd: Number(job.total_cost_usd),
  credits_charged: job.credits_charged,
  duration_ms: job.completed_at && job.completed_at.getTime() - job.created_at.getTime(),
});

/** A line of the list of a team's jobs. */
export const serializeTeamJob = (job: JobRow): z.input<typeof TeamJobs>['jobs'][number] => ({
  job_id: job.job_id,
  job_type: job.job_type,
  status: job.status,
  created_at: job.created_at.toISOString(),
  completed_at: job.completed_at?.toISOString() ?? null,
  credit_applied: job.credit_applied,
  ...optional(job),
});
