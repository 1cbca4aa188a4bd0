import { z } from 'zod';
import { budgetModes, largestBalance, transactionTypes } from '../domain/credits.ts';
import { refillPeriods } from '../domain/refill.ts';
import { lowBalancePolicies } from '../domain/team.ts';
import { CallerId, Limit, Offset, optional, Timestamp, Uuid } from './fields.ts';

/** `spec 6` */

const largestAddition = 1_000_000_000;
const Addition = z.int().positive().max(largestAddition);
const Reason = z.string().max(500);

const TransactionType = z.enum(transactionTypes);

export const CreditAllocation = z
  .object({ credits_amount: Addition, reason: optional(Reason) })
  .meta({ id: 'CreditAllocation' });

export const CreditAddition = z.object({ credits: Addition, reason: optional(Reason) }).meta({ id: 'CreditAddition' });

export const CreditAdditionToTeam = z
  .object({ team_id: CallerId, amount: Addition, reason: optional(Reason) })
  .meta({ id: 'CreditAdditionToTeam' });

export const CreditAdjustment = z
  .object({
    credits_amount: z
      .int()
      .min(-largestBalance)
      .max(largestBalance)
      .refine((amount) => amount !== 0, { message: 'Input should not be 0' }),
    reason: Reason.min(1),
  })
  .meta({ id: 'CreditAdjustment' });

export const CreditRefund = z.object({ job_id: Uuid, reason: optional(Reason) }).meta({ id: 'CreditRefund' });

const transaction = {
  transaction_id: z.guid(),
  transaction_type: TransactionType,
  credits_amount: z.int().meta({ description: 'What was moved; negative only for an adjustment' }),
  credits_before: z.int(),
  credits_after: z.int(),
  reason: z.string(),
};

export const CreditChange = z
  .object({ ...transaction, team_id: z.string(), job_id: z.guid().nullable(), credits_remaining: z.int() })
  .meta({ id: 'CreditChange' });

export const CreditTransaction = z
  .object({ ...transaction, job_id: z.guid().nullable(), created_at: Timestamp })
  .meta({ id: 'CreditTransaction' });

export const TeamTransactionsQuery = z.object({ limit: Limit, offset: Offset });

export const TeamTransactions = z
  .object({ team_id: z.string(), transactions: z.array(CreditTransaction) })
  .meta({ id: 'TeamTransactions' });

export const TransactionListQuery = TeamTransactionsQuery.extend({
  team_id: CallerId.optional().meta({ description: "Needed by an admin; a team's key stands for its own team" }),
  transaction_type: TransactionType.optional(),
});

export const TransactionList = z
  .object({ team_id: z.string(), total: z.int(), transactions: z.array(CreditTransaction) })
  .meta({ id: 'TransactionList' });

export const credits = {
  credits_allocated: z.int(),
  credits_used: z.int(),
  credits_remaining: z.int(),
  credit_limit: z.int().nullable().meta({ description: 'Null is unlimited' }),
  auto_refill: z.boolean(),
};

export const TeamCredits = z.object({ team_id: z.string(), ...credits }).meta({ id: 'TeamCredits' });

export const BalanceQuery = z.object({ team_id: TransactionListQuery.shape.team_id });

/** The settings of a team's account and rates, as in every answer about them. */
export const accountSettings = {
  refill_amount: z.int().nullable(),
  refill_period: z.enum(refillPeriods).nullable(),
  next_refill_at: Timestamp.nullable(),
  last_refill_at: Timestamp.nullable(),
  budget_mode: z.enum(budgetModes),
  tokens_per_credit: z.int().nullable().meta({ description: 'Null is the default of the system' }),
  credits_per_dollar: z.number().nullable().meta({ description: 'Null is the default of the system' }),
  low_balance_policy: z.enum(lowBalancePolicies),
  rpm_limit: z.int().nullable().meta({ description: 'Null is the default of the system' }),
  tpm_limit: z.int().nullable().meta({ description: 'Null is the default of the system' }),
};

export const Balance = z.object({ team_id: z.string(), ...credits, ...accountSettings }).meta({ id: 'Balance' });

export const TokensPerCredit = z.int().positive().max(largestBalance);
/** A rate, not a price: 33.333333333333336 is what 100/3 is, and is kept with all its digits. */
export const CreditsPerDollar = z.number().positive();

export const ConversionRatesUpdate = z
  .object({ tokens_per_credit: TokensPerCredit.nullish(), credits_per_dollar: CreditsPerDollar.nullish() })
  .meta({ id: 'ConversionRatesUpdate' });

export const ConversionRates = z
  .object({
    team_id: z.string(),
    tokens_per_credit: z.int(),
    credits_per_dollar: z.number(),
    budget_mode: z.enum(budgetModes),
    using_defaults: z.object({ tokens_per_credit: z.boolean(), credits_per_dollar: z.boolean() }),
  })
  .meta({ id: 'ConversionRates' });

export const ChangedConversionRates = ConversionRates.extend({ message: z.string() }).meta({
  id: 'ChangedConversionRates',
});
