import { ApplicationFailure } from '@temporalio/activity';
import { settleJob, settlementBasis } from '../src/db/queries/settle-job.ts';
import { charge } from '../src/domain/credits.ts';
import type { JobEnd } from '../src/domain/job.ts';
import type { Metadata } from '../src/domain/metadata.ts';
import type { JobResult } from '../workflows/job.ts';
import type { ActivityDeps } from './deps.ts';

export interface SettleJobInput {
  job_id: string;
  status: JobEnd;
  error_message: string | null;
  cancel_reason: string | null;
  metadata: Metadata;
  model_groups_used: string[];
  /** Milliseconds since the epoch. */
  completed_at: number;
}

export const createCreditActivities = (deps: ActivityDeps) => ({
  /**
   * The end of a job: its status, its credit, its usage, its webhook events, in one transaction. Exactly once by the
   * guard on the job's status and the unique index `one_deduction_a_job`; again, it gives the stored end.
   */
  async settleJob(input: SettleJobInput): Promise<JobResult> {
    const basis = await settlementBasis(deps.database, input.job_id);
    if (!basis) throw ApplicationFailure.nonRetryable('there is no such job', 'JobNotFound');
    const finished = {
      status: input.status,
      failedCalls: basis.failed_calls,
      totalTokens: basis.total_tokens,
      totalCostUsd: basis.total_cost_usd,
    };
    const billing = {
      budgetMode: basis.budget_mode,
      tokensPerCredit: basis.tokens_per_credit,
      creditsPerDollar: basis.credits_per_dollar,
    };
    const completedAt = new Date(input.completed_at);
    const credits = charge(finished, billing);
    const settled = await settleJob(deps.database, { ...input, credits, completed_at: completedAt });
    if (!settled) throw new Error('the job is neither open nor settled');
    const { delivery_ids, completed_at, ...result } = settled;
    deps.deliveries.start(delivery_ids);
    deps.metrics.jobs.inc({ status: result.status });
    if (result.credit_applied) deps.metrics.credits.inc(credits);
    return { ...result, completed_at: completed_at.toISOString() };
  },
});
