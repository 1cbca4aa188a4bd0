import type { z } from 'zod';
import { type CallCosts, JobCostBreakdown, JobParams } from '../../../contracts/jobs.ts';
import { type AttemptRow, listAttempts } from '../../../db/calls/list-attempts.ts';
import { type CallRow, listCallCosts } from '../../../db/calls/list-call-costs.ts';
import { findBalance } from '../../../db/credits/find-balance.ts';
import { findJob, type JobRow } from '../../../db/jobs/find-job.ts';
import { isFinished } from '../../../domain/job-state.ts';
import { sumOf } from '../../../domain/pricing.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';
import { costsOf } from './support/serialize-job.ts';

export const getCosts = route(
  {
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
  async ({ deps, caller, params }) => {
    const { job, calls, balance } = await readCosts(deps, await getJobForCaller(deps, caller, params.job_id));
    const forAdmin = caller.kind !== 'team';
    // Read after the calls, because the attempts of each are recorded with its end.
    const attempts = forAdmin ? await listAttempts(deps.database, job.job_id) : [];
    const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.call_id);
    return {
      job_id: job.job_id,
      team_id: job.team_id,
      job_type: job.job_type,
      status: job.status,
      costs: totals(job, calls, balance),
      breakdown: calls.map((call) => ({
        ...callCosts(call),
        ...(forAdmin && hiddenFromTeams(call, attemptsOf.get(call.call_id) ?? [])),
      })),
    };
  },
);

interface Costs {
  job: JobRow;
  calls: CallRow[];
  balance: number;
}

/** Consistent although read in several queries: an ended job stays as it is, and an open one has charged nothing. */
async function readCosts(deps: Deps, job: JobRow): Promise<Costs> {
  const [calls, balance] = await Promise.all([
    listCallCosts(deps.database, job.job_id),
    job.credits_remaining ?? findBalance(deps.database, job.team_id),
  ]);
  if (isFinished(job.status)) return { job, calls, balance };
  const later = (await findJob(deps.database, job.job_id)) ?? job;
  return isFinished(later.status) ? readCosts(deps, later) : { job: later, calls, balance };
}

/** The sum of the listed calls, so that the two never disagree, also while the job runs. */
const totals = (job: JobRow, calls: CallRow[], balance: number) => {
  const sum = (of: (call: CallRow) => number) => calls.reduce((total, call) => total + of(call), 0);
  const until = job.completed_at ?? new Date();
  return {
    ...costsOf({
      total_calls: calls.length,
      failed_calls: sum((call) => (call.error === null ? 0 : 1)),
      total_tokens: sum((call) => call.total_tokens),
      total_cost_usd: sumOf(calls.map((call) => call.cost_usd)),
      total_latency_ms: sum((call) => call.latency_ms),
      credit_applied: job.credit_applied,
      credits_remaining: balance,
    }),
    total_prompt_tokens: sum((call) => call.prompt_tokens),
    total_completion_tokens: sum((call) => call.completion_tokens),
    total_duration_seconds: Math.max(0, until.getTime() - job.created_at.getTime()) / 1_000,
  };
};

const callCosts = (call: CallRow): z.input<typeof CallCosts> => ({
  call_id: call.call_id,
  purpose: call.purpose,
  model_group: call.model_group_used,
  prompt_tokens: call.prompt_tokens,
  completion_tokens: call.completion_tokens,
  total_tokens: call.total_tokens,
  cost_usd: Number(call.cost_usd),
  latency_ms: call.latency_ms,
  error: call.error,
  created_at: call.created_at.toISOString(),
});

/** A team never sees a concrete model. `spec 3.9` */
const hiddenFromTeams = (call: CallRow, attempts: AttemptRow[]) => ({
  resolved_model: call.resolved_model,
  model_used: call.model_used,
  attempts: attempts.map(({ call_id: _, ...attempt }) => ({
    ...attempt,
    cost_usd: Number(attempt.cost_usd),
    created_at: attempt.created_at.toISOString(),
  })),
});
