import { type BillingPolicy, type CallFacts, factsOfOnlyCall, type JobTerms } from './billing-policy.ts';
import type { CallFailure } from './call-failure.ts';
import { type Charge, decideCharge } from './charge.ts';
import { type Billing, type BudgetMode, rateOf } from './credits.ts';
import type { FinalJobStatus } from './job-state.ts';

/** The price and the policy in the record of a job. Null: the default. */
export interface RecordedTerms {
  price_credits: number | null;
  billing_policy: BillingPolicy | null;
  /** Null: the price and the policy are the default, which does not ask for them. */
  facts: CallFacts | null;
}

/** What decides the charge: the sums of a job's recorded calls, its price and policy, and how its team is billed. */
export interface SettlementBasis extends RecordedTerms {
  team_id: string;
  failed_calls: number;
  total_tokens: number;
  total_cost_usd: string;
  budget_mode: BudgetMode;
  tokens_per_credit: number | null;
  credits_per_dollar: string | null;
  credit_thresholds: number[];
}

/** How a job is billed: what decides its charge besides its calls. */
export type JobBilling = Omit<SettlementBasis, 'facts' | 'failed_calls' | 'total_tokens' | 'total_cost_usd'>;

interface OnlyCall {
  status: 'succeeded' | 'failed';
  failure: CallFailure | null;
  total_tokens: number;
  cost_usd: string;
}

/** What decides the charge of a job whose only call has ended so, in its first attempt. */
export function basisOfOnlyCall(billing: JobBilling, call: OnlyCall): SettlementBasis {
  const hasTerms = billing.price_credits !== null || billing.billing_policy !== null;
  return {
    ...billing,
    failed_calls: call.status === 'failed' ? 1 : 0,
    total_tokens: call.total_tokens,
    total_cost_usd: call.cost_usd,
    facts: hasTerms ? factsOfOnlyCall(call) : null,
  };
}

/** Undefined: they are the default. */
export const termsOf = ({ price_credits, billing_policy, facts }: RecordedTerms): JobTerms | undefined =>
  facts ? { priceCredits: price_credits ?? 1, policy: billing_policy ?? 'strict', facts } : undefined;

/** What decided the credits of a job. */
export interface BilledBy {
  budget_mode: BudgetMode;
  /** An exact decimal; null where the mode has none. */
  credit_rate: string | null;
}

/** The charge of a job that ends so, and what decided it. */
export function chargeBy(
  basis: SettlementBasis,
  status: FinalJobStatus,
): { charge: Charge; billed_by: BilledBy; terms: JobTerms | undefined } {
  const { budget_mode } = basis;
  const billing: Billing = {
    budgetMode: budget_mode,
    tokensPerCredit: basis.tokens_per_credit,
    creditsPerDollar: basis.credits_per_dollar,
  };
  const terms = termsOf(basis);
  const finished = {
    status,
    failedCalls: basis.failed_calls,
    totalTokens: basis.total_tokens,
    totalCostUsd: basis.total_cost_usd,
    terms,
  };
  return { charge: decideCharge(finished, billing), billed_by: { budget_mode, credit_rate: rateOf(billing) }, terms };
}
