export const budgetModes = ['job_based', 'consumption_usd', 'consumption_tokens'] as const;
export type BudgetMode = (typeof budgetModes)[number];

export const transactionTypes = ['deduction', 'allocation', 'refund', 'adjustment'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** `spec 6.11`. Credits per dollar is a decimal and therefore a string. */
export const defaultRates = { tokensPerCredit: 10_000, creditsPerDollar: '10.0' };
export const maxBalance = 2_147_483_647;

export interface Billing {
  budgetMode: BudgetMode;
  tokensPerCredit: number | null;
  creditsPerDollar: string | null;
}

/** The rate of the budget mode as it is in effect, an exact decimal; null where the mode has none. */
export function rateOf({ budgetMode, tokensPerCredit, creditsPerDollar }: Billing): string | null {
  if (budgetMode === 'consumption_usd') return creditsPerDollar ?? defaultRates.creditsPerDollar;
  if (budgetMode === 'consumption_tokens') return String(tokensPerCredit ?? defaultRates.tokensPerCredit);
  return null;
}

/** The billing that has this rate: what `rateOf` was recorded from. */
export const billingAt = (budgetMode: BudgetMode, rate: string | null): Billing => ({
  budgetMode,
  tokensPerCredit: budgetMode === 'consumption_tokens' && rate !== null ? Number(rate) : null,
  creditsPerDollar: budgetMode === 'consumption_usd' ? rate : null,
});
