import { ApplicationFailure } from '@temporalio/activity';
import { isAuditEntry } from '../../src/db/audit/audit-entry.ts';
import { recordCost } from '../../src/db/calls/record-cost.ts';
import {
  endAsRecorded,
  type Settlement,
  type SettlementBasis,
  settleJob,
  settlementBasis,
} from '../../src/db/jobs/settle-job.ts';
import { decideCharge, rateOf } from '../../src/domain/credits.ts';
import type { JobResult } from '../../src/domain/job-state.ts';
import type { RecordCostInput, SettleJobInput } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';

export interface SettleDeps extends Pick<ActivityDeps, 'database' | 'metrics' | 'settlementSemaphore'> {
  changes: Pick<ActivityDeps['changes'], 'publish'>;
  config: Pick<ActivityDeps['config'], 'USD_PER_CREDIT'>;
  deliveries: Pick<ActivityDeps['deliveries'], 'start'>;
}

/**
 * Ends a job and charges for it, once; a repetition returns the stored end. Undefined: the job was to end with its call, but
 * it has received another command.
 */
async function settle(
  deps: SettleDeps,
  settlement: Omit<Settlement, 'credits' | 'billed_by'>,
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
  const { credits } = decideCharge(finished, billing);
  const billed_by = { budget_mode: basis.budget_mode, credit_rate: rateOf(billing) };
  const settled = await deps.settlementSemaphore.run(basis.team_id, () =>
    settleJob(deps.database, {
      ...settlement,
      credits,
      billed_by,
      usd_per_credit: deps.config.USD_PER_CREDIT,
    }),
  );
  if (!settled) return undefined;
  const { delivery_ids, completed_at, ended_now, ...result } = settled;
  const { team_id } = basis;
  deps.deliveries.start(team_id, delivery_ids);
  deps.changes.publish('jobs', { job_id: settlement.job_id, team_id, status: result.status });
  if (result.credit_applied) deps.changes.publish('teams', { team_id });
  if (ended_now) deps.metrics.jobs.inc({ status: result.status });
  if (ended_now && result.credit_applied) deps.metrics.credits.inc(credits);
  return { ...result, completed_at: completed_at.toISOString() };
}

/** Ends a single-call job before the end of its call is published. Undefined: the job has received another command. */
export function settleWithCall(
  deps: SettleDeps,
  jobId: string,
  error: string | null,
  basis: SettlementBasis,
): Promise<JobResult | undefined> {
  const end = endAsRecorded(jobId, error === null ? 'completed' : 'failed', error, 'call');
  return settle(deps, { ...end, with_call: true }, basis);
}

export const createSettlementActivities = (deps: SettleDeps) => ({
  /**
   * Adds the tokens and USD of a job's calls to the job. A call that a worker finished has added them with its end; this is for
   * calls that were closed. Each call counts once: `calls.recorded_at` is the guard.
   */
  async recordCost({ job_id }: RecordCostInput): Promise<void> {
    await recordCost(deps.database, job_id);
  },

  /**
   * Ends a job: its status, credit, usage and webhook events in one transaction, once the sums of its calls are complete.
   * Exactly once by the guard on the job's status and the unique index `one_deduction_a_job`; a repetition returns the stored
   * end. A malformed `audit_entry` is ignored: the job has to end.
   */
  async settleJob({ audit_entry, ...input }: SettleJobInput): Promise<JobResult> {
    await recordCost(deps.database, input.job_id);
    const basis = await settlementBasis(deps.database, input.job_id);
    if (!basis) throw ApplicationFailure.nonRetryable('there is no such job', 'JobNotFound');
    const settlement = {
      ...input,
      ended_by: input.ended_by ?? null,
      ...(audit_entry && isAuditEntry(audit_entry) && { audit_entry }),
      completed_at: new Date(input.completed_at),
      with_call: false,
    };
    const settled = await settle(deps, settlement, basis);
    if (!settled) throw new Error('the job is neither open nor settled');
    return settled;
  },
});
