import Big from 'big.js';
import type { JobTerms } from './billing-policy.ts';
import { type Billing, defaultRates, maxBalance } from './credits.ts';
import type { FinalJobStatus } from './job-state.ts';

const minimumCharge = 1;
const defaultPrice = 1;

export interface FinishedJob {
  status: FinalJobStatus;
  failedCalls: number;
  totalTokens: number;
  /** An exact decimal of USD. */
  totalCostUsd: string;
  /** Undefined: it costs 1 credit, and its policy is `strict`. */
  terms?: JobTerms | undefined;
}

/** The credits of the job by the budget mode: by consumption rounded up to whole credits, at least 1. `spec 6.11`, `spec 21.4` */
export function price(
  { totalCostUsd, totalTokens, terms }: Pick<FinishedJob, 'totalCostUsd' | 'totalTokens' | 'terms'>,
  billing: Billing,
): number {
  switch (billing.budgetMode) {
    case 'job_based':
      return terms?.priceCredits ?? defaultPrice;
    case 'consumption_usd': {
      const credits = Big(totalCostUsd).times(billing.creditsPerDollar ?? defaultRates.creditsPerDollar);
      return Math.max(minimumCharge, credits.round(0, Big.roundUp).toNumber());
    }
    case 'consumption_tokens':
      return Math.max(
        minimumCharge,
        Math.ceil(totalTokens / (billing.tokensPerCredit ?? defaultRates.tokensPerCredit)),
      );
  }
}

/** Why a job has its charge. `price`: the team pays the price, if its balance suffices. */
export type ChargeRule =
  | Exclude<FinalJobStatus, 'completed'>
  | 'failed_calls'
  | 'price_too_high'
  | 'price_zero'
  | 'price';

export interface Charge {
  /** The credits to deduct. 0: the job is free, whatever the balance. */
  credits: number;
  rule: ChargeRule;
  /** What the job costs where it is not free. */
  price: number;
}

/** Why the policy of the job makes it free; undefined: it does not. `spec 21.1` */
function freeByPolicy({ status, failedCalls, terms }: FinishedJob): ChargeRule | undefined {
  if (terms?.policy === 'answered') {
    if (terms.facts.answered > 0) return undefined;
    return status === 'completed' ? 'failed_calls' : status;
  }
  if (status !== 'completed') return status;
  if (terms?.policy === 'completed') return undefined;
  const failures = terms?.policy === 'superseded_ok' ? terms.facts.unexcused : failedCalls;
  return failures > 0 ? 'failed_calls' : undefined;
}

/**
 * The credits to deduct for the job, and why. By default a job with a failed call is free: the team pays for outcomes, not for
 * attempts. A price that no balance can hold is not deducted either. Whether the team can pay is decided where its balance is locked.
 * `spec 6.10`
 */
export function decideCharge(job: FinishedJob, billing: Billing): Charge {
  const credits = price(job, billing);
  const free = (rule: ChargeRule): Charge => ({ credits: 0, rule, price: credits });
  const reason = freeByPolicy(job);
  if (reason) return free(reason);
  if (credits > maxBalance) return free('price_too_high');
  if (credits === 0) return free('price_zero');
  return { credits, rule: 'price', price: credits };
}

/** The credits of `decideCharge`. */
export const charge = (job: FinishedJob, billing: Billing): number => decideCharge(job, billing).credits;
