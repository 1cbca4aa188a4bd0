import { z } from 'zod';
import { budgetModes, defaultRates, largestBalance } from '../domain/credits.ts';
import { refillPeriods } from '../domain/refill.ts';
import { lowBalancePolicies, teamStatuses } from '../domain/team.ts';
import { accountSettings, CreditsPerDollar, credits, TokensPerCredit } from './credits.ts';
import { CallerId, ExactNumber, GivenObject, KeptObject, Limit, Offset, optional, Timestamp } from './fields.ts';
import { Names } from './models.ts';

/** `spec 6.9`, `spec 8.6` and `spec 8.7` */

export const TeamParams = z.object({ team_id: CallerId });

const TeamAlias = z.string().max(255);
const LimitPerMinute = z.int().positive().max(largestBalance);
const largestRefill = 1_000_000_000;

/** USD. */
const MaxBudget = ExactNumber.min(0);

/** Fields for which `null` is a value: unlimited, or the default of the system. */
const nullable = {
  credit_limit: z
    .int()
    .min(0)
    .max(largestBalance)
    .nullish()
    .meta({ description: 'A number makes the budget fixed: the balance never falls below 0. Null is unlimited' }),
  refill_amount: z.int().positive().max(largestRefill).nullish().meta({ description: 'Added every `refill_period`' }),
  refill_period: z.enum(refillPeriods).nullish(),
  tokens_per_credit: TokensPerCredit.nullish().meta({
    description: `Null is the default of the system: ${defaultRates.tokensPerCredit}`,
  }),
  credits_per_dollar: CreditsPerDollar.nullish().meta({
    description: `Null is the default of the system: ${defaultRates.creditsPerDollar}`,
  }),
  rpm_limit: LimitPerMinute.nullish().meta({ description: 'LLM calls a minute. Null is the default of the system' }),
  tpm_limit: LimitPerMinute.nullish().meta({ description: 'Tokens a minute. Null is the default of the system' }),
};

const settings = {
  ...nullable,
  auto_refill: optional(z.boolean()).meta({
    description: 'Needs `refill_amount` and `refill_period`. First due one period after it was switched on',
  }),
  budget_mode: optional(z.enum(budgetModes)).meta({
    description:
      'What a job costs: one credit (`job_based`, the default), or its USD by `credits_per_dollar`, or its tokens by ' +
      '`tokens_per_credit`, rounded up, at least 1',
  }),
  low_balance_policy: optional(z.enum(lowBalancePolicies)).meta({
    description: '`block`: without a credit left of a fixed budget, no job can be created. Default `allow`',
  }),
  access_groups: optional(Names).meta({ description: 'Through these, the team reaches model aliases' }),
};

export const TeamCreation = z
  .object({
    organization_id: CallerId,
    team_id: CallerId,
    team_alias: optional(TeamAlias),
    name: optional(TeamAlias).meta({ description: 'An older name of `team_alias`, taken when that is absent' }),
    model_groups: Names,
    credits_allocated: optional(z.int().min(0).max(largestBalance)).meta({ description: 'Default 0' }),
    metadata: optional(GivenObject),
    proxy_team_id: optional(CallerId).meta({ description: "The team's id upstream; `team_id` when absent" }),
    max_budget: optional(MaxBudget).meta({ description: 'USD, upstream; from the credits when absent' }),
    ...settings,
    credit_limit: settings.credit_limit.meta({
      description:
        'A number makes the budget fixed, as does leaving it out: the balance never falls below 0. Null is unlimited',
    }),
  })
  .meta({ id: 'TeamCreation' });
export type TeamCreation = z.output<typeof TeamCreation>;

export const CreatedTeam = z
  .object({
    team_id: z.string(),
    organization_id: z.string(),
    team_alias: z.string().nullable(),
    model_groups: z.array(z.string()),
    allowed_models: z.array(z.string()).meta({ description: 'The concrete models that the groups resolve to' }),
    credits_allocated: z.int(),
    credits_remaining: z.int(),
    credit_limit: z.int().nullable(),
    virtual_key: z.string(),
    message: z.string(),
  })
  .meta({ id: 'CreatedTeam' });

export const TeamUpdate = z
  .object({ team_alias: TeamAlias.nullish(), metadata: optional(GivenObject), ...settings })
  .meta({ id: 'TeamUpdate' });
export type TeamUpdate = z.output<typeof TeamUpdate>;

const team = {
  team_id: z.string(),
  organization_id: z.string(),
  team_alias: z.string().nullable(),
  status: z.enum(teamStatuses),
  model_groups: z.array(z.string()),
  access_groups: z.array(z.string()),
  ...accountSettings,
  metadata: KeptObject,
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** A team without its key. */
export const Team = z.object({ ...team, ...credits }).meta({ id: 'Team' });

/** A team with its key. */
export const TeamWithKey = z
  .object({
    ...team,
    credits: z.object({ team_id: z.string(), organization_id: z.string(), ...credits, virtual_key: z.string() }),
  })
  .meta({ id: 'TeamWithKey' });

export const TeamListQuery = z.object({
  organization_id: CallerId.optional(),
  status: z.enum(teamStatuses).optional(),
  limit: Limit,
  offset: Offset,
});

export const TeamList = z.object({ total: z.int(), teams: z.array(Team) }).meta({ id: 'TeamList' });

export const ModelGroupsOfTeam = z.object({ model_groups: Names }).meta({ id: 'ModelGroupsOfTeam' });

export const ChangedModelGroups = z
  .object({ team_id: z.string(), model_groups: z.array(z.string()), message: z.string() })
  .meta({ id: 'ChangedModelGroups' });

export const ChangedTeamStatus = z
  .object({ team_id: z.string(), status: z.enum(teamStatuses), message: z.string() })
  .meta({ id: 'ChangedTeamStatus' });

export const KeyRotation = z
  .object({
    grace_seconds: optional(z.int().min(0).max(604_800)).meta({
      description: 'How long the previous key still serves. Default 0',
    }),
  })
  .meta({ id: 'KeyRotation' });

export const RotatedKey = z
  .object({ team_id: z.string(), virtual_key: z.string(), previous_key_expires_at: Timestamp })
  .meta({ id: 'RotatedKey' });
