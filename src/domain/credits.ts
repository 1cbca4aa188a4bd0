import Big from 'big.js';
import type { JobEnd } from './job.ts';

export const budgetModes = ['job_based', 'consumption_usd', 'consumption_tokens'] as const;
export type BudgetMode = (typeof budgetModes)[number];

export const transactionTypes = ['deduction', 'allocation', 'refund', 'adjustment'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** `interface.md`, "Credit budget modes". Credits per dollar is a decimal and is kept as text. */
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

const atLeastTheMinimum = (credits: Big): number => Math.max(minimumCharge, credits.round(0, Big.roundUp).toNumber());

/** The price of the job in credits, whole and at least 1. `interface.md`, "Credit budget modes". */
export function price(job: FinishedJob, billing: Billing): number {
  switch (billing.budgetMode) {
    case 'job_based':
      return minimumCharge;
    case 'consumption_usd':
      return atLeastTheMinimum(Big(job.totalCostUsd).times(billing.creditsPerDollar ?? defaultRates.creditsPerDollar));
    case 'consumption_tokens': {
      const rate = billing.tokensPerCredit ?? defaultRates.tokensPerCredit;
      return Math.max(minimumCharge, Math.ceil(job.totalTokens / rate));
    }
  }
}

/**
 * A job with a failed call is free: the team pays for outcomes, not for attempts. A price too large for any balance is not
 * deducted either. Whether the team can afford the rest is decided where the balance is locked. `interface.md`, "Credit
 * deduction rules".
 */
export function charge(job: FinishedJob, billing: Billing): number {
  if (job.status !== 'completed' || job.failedCalls > 0) return 0;
  const credits = price(job, billing);
  return credits <= largestBalance ? credits : 0;
}
