import Big from 'big.js';
import { type Billing, defaultRates, maxBalance } from './credits.ts';
import type { FinalJobStatus } from './job-state.ts';

const minimumCharge = 1;

export interface FinishedJob {
  status: FinalJobStatus;
  failedCalls: number;
  totalTokens: number;
  /** An exact decimal of USD. */
  totalCostUsd: string;
}

/** The credits of the job by the budget mode, rounded up to whole credits. */
function creditsFor({ totalCostUsd, totalTokens }: FinishedJob, billing: Billing): number {
  switch (billing.budgetMode) {
    case 'job_based':
      return 1;
    case 'consumption_usd': {
      const credits = Big(totalCostUsd).times(billing.creditsPerDollar ?? defaultRates.creditsPerDollar);
      return credits.round(0, Big.roundUp).toNumber();
    }
    case 'consumption_tokens':
      return Math.ceil(totalTokens / (billing.tokensPerCredit ?? defaultRates.tokensPerCredit));
  }
}

/** The price of the job in whole credits, at least 1. `spec 6.11` */
export const price = (job: FinishedJob, billing: Billing): number => Math.max(minimumCharge, creditsFor(job, billing));

/** Why a job has its charge. `price`: the team pays the price, if its balance suffices. */
export type ChargeRule = Exclude<FinalJobStatus, 'completed'> | 'failed_calls' | 'price_too_high' | 'price';

export interface Charge {
  /** The credits to deduct. 0: the job is free, whatever the balance. */
  credits: number;
  rule: ChargeRule;
  /** What the job costs where it is not free. */
  price: number;
}

/**
 * The credits to deduct for the job, and why. A job with a failed call is free: the team pays for outcomes, not for attempts. A price
 * that no balance can hold is not deducted either. Whether the team can pay is decided where its balance is locked. `spec 6.10`
 */
export function decideCharge(job: FinishedJob, billing: Billing): Charge {
  const credits = price(job, billing);
  const free = (rule: ChargeRule): Charge => ({ credits: 0, rule, price: credits });
  if (job.status !== 'completed') return free(job.status);
  if (job.failedCalls > 0) return free('failed_calls');
  if (credits > maxBalance) return free('price_too_high');
  return { credits, rule: 'price', price: credits };
}

/** The credits of `decideCharge`. */
export const charge = (job: FinishedJob, billing: Billing): number => decideCharge(job, billing).credits;
