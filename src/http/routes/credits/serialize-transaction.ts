import type { z } from 'zod';
import type { CreditTransaction } from '../../../contracts/credits.ts';
import type { TransactionRow } from '../../../db/credits/write-transaction.ts';

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
