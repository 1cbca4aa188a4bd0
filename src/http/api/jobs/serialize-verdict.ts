import type { z } from 'zod';
import type { JobTimeline } from '../../../contracts/job-timeline.ts';
import type { TransactionRow } from '../../../db/credits/write-transaction.ts';
import type { JobRow } from '../../../db/jobs/find-job.ts';
import type { ChargeRow } from '../../../db/jobs/read-charge.ts';
import { type Billing, billingAt, rateOf } from '../../../domain/credits.ts';
import { explainCharge } from '../../../domain/explain-charge.ts';
import { isFinished } from '../../../domain/job-state.ts';
import { termsOf } from '../../../domain/settlement-basis.ts';

type Verdict = z.input<typeof JobTimeline>['verdict'];

export interface ChargeRecords {
  job: JobRow;
  charge: ChargeRow;
  transactions: readonly TransactionRow[];
  /** Whether the reader may know who cancelled the job. */
  isForAdmin: boolean;
}

/** How the team is billed for the job: as recorded with its end, or else as it is now. */
const billingOf = (charge: ChargeRow): Billing =>
  charge.budget_mode
    ? billingAt(charge.budget_mode, charge.credit_rate)
    : {
        budgetMode: charge.team_budget_mode,
        tokensPerCredit: charge.team_tokens_per_credit,
        creditsPerDollar: charge.team_credits_per_dollar,
      };

function findRefund(transactions: readonly TransactionRow[]) {
  const row = transactions.find(({ transaction_type }) => transaction_type === 'refund');
  return row ? { credits: row.credits_amount, at: row.created_at.toISOString(), reason: row.reason } : null;
}

/** What the job was charged and why, with what that was decided by. */
export function serializeVerdict({ job, charge, transactions, isForAdmin }: ChargeRecords): Verdict {
  const billing = billingOf(charge);
  const refunded = findRefund(transactions);
  const hasEnded = isFinished(job.status);
  const credits_remaining = hasEnded ? (job.credits_remaining ?? 0) : charge.team_credits_remaining;
  const credit_limit = hasEnded ? charge.credit_limit : charge.team_credit_limit;
  const first = charge.first_failed_call;
  const terms = termsOf(charge);
  const { charged, credits, rule, price, sentence } = explainCharge({
    status: job.status,
    endedBy: charge.ended_by,
    cancelledBy: isForAdmin ? charge.cancelled_by : null,
    isSingleCall: charge.single_call,
    totalCalls: job.total_calls,
    failedCalls: job.failed_calls,
    totalTokens: job.total_tokens,
    totalCostUsd: job.total_cost_usd,
    firstFailedCall: first,
    billing,
    terms,
    creditsRemaining: credits_remaining,
    creditLimit: credit_limit,
    creditsAvailable: charge.team_credits_remaining - charge.team_credits_held + (job.credits_held ?? 0),
    creditsHeld: job.credits_held,
    creditsCharged: job.credits_charged,
    errorMessage: job.error_message,
    cancelReason: charge.cancel_reason,
    refund: refunded,
  });
  const rate = rateOf(billing);
  return {
    charged,
    credits,
    rule,
    inputs: {
      status: job.status,
      ended_by: charge.ended_by,
      failed_calls: job.failed_calls,
      first_failed_call: first && { call_id: first.call_id, position: first.position },
      budget_mode: billing.budgetMode,
      tokens_per_credit: billing.budgetMode === 'consumption_tokens' ? Number(rate) : null,
      credits_per_dollar: billing.budgetMode === 'consumption_usd' ? Number(rate) : null,
      total_tokens: job.total_tokens,
      total_cost_usd: Number(job.total_cost_usd),
      ...(terms && { billing_policy: terms.policy, superseded_calls: terms.facts.superseded }),
      price_credits: price,
      credits_remaining,
      credit_limit,
      refunded,
    },
    sentence,
  };
}
