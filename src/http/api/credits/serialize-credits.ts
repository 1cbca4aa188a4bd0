import type { z } from 'zod';
import type { ConversionRates, CreditChange, CreditTransaction } from '../../../contracts/credits.ts';
import type { TeamRates } from '../../../db/credits/set-conversion-rates.ts';
import type { TransactionRow } from '../../../db/credits/write-transaction.ts';
import { defaultRates } from '../../../domain/credits.ts';

export const serializeTransaction = (row: TransactionRow): z.input<typeof CreditTransaction> => ({
  transaction_id: row.transaction_id,
  transaction_type: row.transaction_type,
  credits_amount: row.credits_amount,
  credits_before: row.credits_before,
  credits_after: row.credits_after,
  reason: row.reason,
  job_id: row.job_id,
  created_at: row.created_at.toISOString(),
});

export const serializeCreditChange = (row: TransactionRow): z.input<typeof CreditChange> => ({
  transaction_id: row.transaction_id,
  team_id: row.team_id,
  job_id: row.job_id,
  transaction_type: row.transaction_type,
  credits_amount: row.credits_amount,
  credits_before: row.credits_before,
  credits_after: row.credits_after,
  reason: row.reason,
  credits_remaining: row.credits_after,
});

/** The rates in effect, and which of them are the system's. `spec 6.15` */
export const serializeConversionRates = (team: TeamRates): z.input<typeof ConversionRates> => ({
  team_id: team.team_id,
  tokens_per_credit: team.tokens_per_credit ?? defaultRates.tokensPerCredit,
  credits_per_dollar: Number(team.credits_per_dollar ?? defaultRates.creditsPerDollar),
  budget_mode: team.budget_mode,
  using_defaults: {
    tokens_per_credit: team.tokens_per_credit === null,
    credits_per_dollar: team.credits_per_dollar === null,
  },
});
