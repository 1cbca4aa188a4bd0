import { endAsRecorded, type Settlement, type SettlementBasis, settleJob } from '../src/db/queries/settle-job.ts';
import { charge } from '../src/domain/credits.ts';
import type { JobResult } from '../src/domain/job.ts';
import type { ActivityDeps } from './deps.ts';

type SettleDeps = Pick<ActivityDeps, 'database' | 'deliveries' | 'metrics' | 'settlementTurns'>;

/**
 * Ends a job and charges for it, once; a repetition returns the stored end. Undefined: the job was to end with its call, but
 * something else has been asked of it.
 */
export async function settle(
  deps: SettleDeps,
  settlement: Omit<Settlement, 'credits'>,
  basis: SettlementBasis,
): Promise<JobResult | undefined> {
  const finished = {
    status: settlement.status,
    failedCalls: basis.failed_calls,
    totalTokens: basis.total_tokens,
    totalCostUsd: basis.total_cost_usd,
  };
  const billing = {
    budgetMode: basis.budget_mode,
    tokensPerCredit: basis.tokens_per_credit,
    creditsPerDollar: basis.credits_per_dollar,
  };
  const credits = charge(finished, billing);
  const settled = await deps.settlementTurns.run(basis.team_id, () =>
    settleJob(deps.database, { ...settlement, credits }),
  );
  if (!settled) return undefined;
  const { delivery_ids, completed_at, ended_now, ...result } = settled;
  deps.deliveries.start(delivery_ids);
  if (ended_now) deps.metrics.jobs.inc({ status: result.status });
  if (ended_now && result.credit_applied) deps.metrics.credits.inc(credits);
  return { ...result, completed_at: completed_at.toISOString() };
}

/** Ends a single-call job before the end of its call is published. Undefined: something else has been asked of the job. */
export function settleWithCall(
  deps: SettleDeps,
  jobId: string,
  error: string | null,
  basis: SettlementBasis,
): Promise<JobResult | undefined> {
  const end = endAsRecorded(jobId, error === null ? 'completed' : 'failed', error);
  return settle(deps, { ...end, with_call: true }, basis);
}
