import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { refillPeriods } from '../../domain/refill.ts';

/** The balance changes by the statements of the ledger only, never by an entity: `src/db/credits/change-balance.ts`. */
export const CreditAccount = defineEntity({
  name: 'CreditAccount',
  tableName: 'credit_accounts',
  properties: {
    team_id: p.text().primary(),
    organization_id: p.text(),
    credits_allocated: p.integer().default(0),
    credits_used: p.integer().default(0),
    credits_remaining: p.integer().persist(false).nullable(),
    credit_limit: p.integer().nullable(),
    auto_refill: p.boolean().default(false),
    refill_amount: p.integer().nullable(),
    refill_up_to: p.integer().nullable(),
    refill_period: p.enum(refillPeriods).nullable(),
    refill_anchor_at: p.datetime(3).nullable(),
    next_refill_at: p.datetime(3).nullable(),
    last_refill_at: p.datetime(3).nullable(),
  },
});
export type CreditAccount = InferEntity<typeof CreditAccount>;
