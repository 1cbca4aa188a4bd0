import { defineEntity, p } from '@mikro-orm/core';
import { transactionTypes } from '../../domain/credits.ts';

/** A row of the ledger. Written once: the database refuses every change of it. */
export const CreditTransaction = defineEntity({
  name: 'CreditTransaction',
  tableName: 'credit_transactions',
  properties: {
    transaction_id: p.uuid().primary(),
    team_id: p.text(),
    organization_id: p.text(),
    job_id: p.uuid().nullable(),
    transaction_type: p.enum(transactionTypes),
    credits_amount: p.integer(),
    credits_before: p.integer(),
    credits_after: p.integer(),
    reason: p.text(),
    refill_due_at: p.datetime(3).nullable(),
  },
});
