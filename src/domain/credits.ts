import Big from 'big.js';
import type { JobEnd } from './job-state.ts';

export const budgetModes = ['job_based', 'consumption_usd', 'consumption_tokens'] as const;
export type BudgetMode = (typeof budgetModes)[number];

export const transactionTypes = ['deduction', 'allocation', 'refund', 'adjustment'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** `spec 6.11`. Credits per dollar is a decimal and therefore a string. */
export const defaultRates = { tokensPerCredit: 10_000, creditsPerDollar: '10.0' };
export const largestBalance = 2_147_483_647;
const minimumCharge = 1;

export interface FinishedJob {
  status: JobEnd;
  failedCalls: number;
  totalTokens: number;
  /** Exact decimal, USD. */
  totalCostUsd: string;
}

export interface Billing {
  budgetMode: BudgetMode;
  tokensPerCredit: number | null;
  creditsPerDollar: string | null;
}

/** The credits of the job by the budget mode, rounded up to whole credits. */
function creditsOf({ totalCostUsd, totalTokens }: FinishedJob, billing: Billing): number {
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
export const price = (job: FinishedJob, billing: Billing): number => Math.max(minimumCharge, creditsOf(job, billing));

/**
 * The credits to deduct for the job. A job with a failed call is free: the team pays for outcomes, not for attempts. A price that
 * no balance can hold is not deducted either. Whether the team can pay is decided where its balance is locked. `spec 6.10`
 */
export function charge(job: FinishedJob, billing: Billing): number {
  if (job.status !== 'completed' || job.failedCalls > 0) return 0;
  const credits = price(job, billing);
  return credits <= largestBalance ? credits : 0;
}
