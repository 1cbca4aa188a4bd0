import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { billingPolicies } from '../../domain/billing-policy.ts';
import { budgetModes } from '../../domain/credits.ts';
import type { BudgetFields } from '../../domain/job-budget.ts';
import { teamJobEnds } from '../../domain/job-end.ts';
import { agentTurnPolicies, joblessCallPolicies, lowBalancePolicies, teamStatuses } from '../../domain/team.ts';
import { createdAt, integerArray, json, textArray, updatedAt } from './columns.ts';

export const Team = defineEntity({
  name: 'Team',
  tableName: 'teams',
  properties: {
    team_id: p.text().primary(),
    organization_id: p.text(),
    team_alias: p.text().nullable(),
    status: p.enum(teamStatuses).default('active'),
    /** The playground makes its calls. `spec 32.1` */
    is_test: p.boolean().default(false),
    budget_mode: p.enum(budgetModes).default('job_based'),
    tokens_per_credit: p.integer().nullable(),
    credits_per_dollar: p.decimal('string').nullable(),
    low_balance_policy: p.enum(lowBalancePolicies).default('allow'),
    billing_policy: p.enum(billingPolicies).nullable(),
    usd_per_credit: p.decimal('string').nullable(),
    reserve_credits: p.integer().nullable(),
    job_budget_defaults: json<BudgetFields>(),
    job_budget_maxima: json<BudgetFields>(),
    credit_thresholds: integerArray(),
    payload_retention_days: p.integer().nullable(),
    rpm_limit: p.integer().nullable(),
    tpm_limit: p.integer().nullable(),
    max_concurrent_calls: p.integer().nullable(),
    job_key_from: textArray(),
    agent_turns: p.enum(agentTurnPolicies).default('on'),
    job_end: p.enum(teamJobEnds).nullable(),
    jobless_calls: p.enum(joblessCallPolicies).default('single'),
    proxy_team_id: p.text(),
    max_budget: p.decimal('string').nullable(),
    metadata: p.json<Record<string, unknown>>().onCreate(() => ({})),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
});
export type Team = InferEntity<typeof Team>;

/** The settings that decide on the calls of a team: they are read with each key. */
export const callSettings = [
  'rpm_limit',
  'tpm_limit',
  'max_concurrent_calls',
  'job_key_from',
  'jobless_calls',
  'agent_turns',
  'job_end',
] as const satisfies readonly (keyof Team)[];

/** All settings of a team that are columns of its row, except its name and its metadata. */
export const teamSettings = [
  'budget_mode',
  'tokens_per_credit',
  'credits_per_dollar',
  'low_balance_policy',
  'billing_policy',
  'usd_per_credit',
  'reserve_credits',
  'job_budget_defaults',
  'job_budget_maxima',
  'credit_thresholds',
  'payload_retention_days',
  ...callSettings,
] as const satisfies readonly (keyof Team)[];

type Stored<Name extends keyof Team> = { [Key in Name]: Exclude<Team[Key], undefined> };
export type CallSettings = Stored<(typeof callSettings)[number]>;
export type TeamSettings = Stored<(typeof teamSettings)[number]>;

/** Columns of `t`, the team. */
export const settingColumns = (settings: readonly string[]): string => settings.map((name) => `t.${name}`).join(', ');

/** The settings of a row that decide on calls, without its other columns. */
export const callSettingsOf = (team: CallSettings): CallSettings =>
  Object.fromEntries(callSettings.map((name) => [name, team[name]])) as unknown as CallSettings;
