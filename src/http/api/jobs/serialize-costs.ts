import type { z } from 'zod';
import type { CallCosts, JobCostBreakdown } from '../../../contracts/jobs.ts';
import type { CallRow } from '../../../db/calls/list-call-costs.ts';
import { callErrorCode } from '../../../domain/call-error-code.ts';
import { sumUsd } from '../../../domain/pricing.ts';
import type { JobCosts } from '../../../services/jobs/read-costs.ts';
import { serializeBudget } from './serialize-budget.ts';
import { forAdmins } from './serialize-call.ts';
import { serializeCosts } from './serialize-job.ts';

export function serializeCostBreakdown(costs: JobCosts): z.input<typeof JobCostBreakdown> {
  const { job, calls, attempts } = costs;
  const attemptsByCall = attempts && Map.groupBy(attempts, (attempt) => attempt.call_id);
  return {
    job_id: job.job_id,
    team_id: job.team_id,
    job_type: job.job_type,
    status: job.status,
    costs: totals(costs),
    ...serializeBudget(job.budget),
    breakdown: calls.map((call) => ({
      ...serializeCallCosts(call),
      // A team never sees a concrete model. `spec 3.9`
      ...(attemptsByCall && forAdmins(call, attemptsByCall.get(call.call_id) ?? [])),
    })),
  };
}

/** The sum of the listed calls, so that the two never disagree, also while the job runs. */
function totals({ job, calls, balance, terms }: JobCosts) {
  const sum = (of: (call: CallRow) => number) => calls.reduce((total, call) => total + of(call), 0);
  const until = job.completed_at ?? new Date();
  return {
    ...serializeCosts({
      total_calls: calls.length,
      failed_calls: sum((call) => (call.error === null ? 0 : 1)),
      total_tokens: sum((call) => call.total_tokens),
      total_cost_usd: sumUsd(calls.map((call) => call.cost_usd)),
      total_latency_ms: sum((call) => call.latency_ms),
      credit_applied: job.credit_applied,
      credits_remaining: balance,
      terms,
    }),
    total_prompt_tokens: sum((call) => call.prompt_tokens),
    total_completion_tokens: sum((call) => call.completion_tokens),
    total_duration_seconds: Math.max(0, until.getTime() - job.created_at.getTime()) / 1_000,
  };
}

const serializeCallCosts = (call: CallRow): z.input<typeof CallCosts> => ({
  call_id: call.call_id,
  purpose: call.purpose,
  model_group: call.model_group_used,
  prompt_tokens: call.prompt_tokens,
  completion_tokens: call.completion_tokens,
  total_tokens: call.total_tokens,
  cost_usd: Number(call.cost_usd),
  latency_ms: call.latency_ms,
  error: call.error,
  error_code: callErrorCode(call),
  created_at: call.created_at.toISOString(),
});
