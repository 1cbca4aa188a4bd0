import type { z } from 'zod';
import type { Team, TeamWithKey } from '../../../../contracts/teams.ts';
import type { TeamRow } from '../../../../db/teams/find-team.ts';

/** The fields of every answer about a team. */
const shared = (row: TeamRow) => ({
  team_id: row.team_id,
  organization_id: row.organization_id,
  team_alias: row.team_alias,
  status: row.status,
  model_groups: row.model_groups,
  access_groups: row.access_groups,
  ...settingsOf(row),
  job_key_from: row.job_key_from,
  jobless_calls: row.jobless_calls,
  metadata: row.metadata,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The settings of the account and its rates. */
export const settingsOf = (row: TeamRow) => ({
  refill_amount: row.refill_amount,
  refill_period: row.refill_period,
  next_refill_at: row.next_refill_at?.toISOString() ?? null,
  last_refill_at: row.last_refill_at?.toISOString() ?? null,
  budget_mode: row.budget_mode,
  tokens_per_credit: row.tokens_per_credit,
  credits_per_dollar: row.credits_per_dollar === null ? null : Number(row.credits_per_dollar),
  low_balance_policy: row.low_balance_policy,
  rpm_limit: row.rpm_limit,
  tpm_limit: row.tpm_limit,
  max_concurrent_calls: row.max_concurrent_calls,
});

export const creditsOf = (row: TeamRow) => ({
  credits_allocated: row.credits_allocated,
  credits_used: row.credits_used,
  credits_remaining: row.credits_remaining,
  credit_limit: row.credit_limit,
  auto_refill: row.auto_refill,
});

export const serializeTeam = (row: TeamRow): z.input<typeof Team> => ({ ...shared(row), ...creditsOf(row) });

export const serializeTeamWithKey = (row: TeamRow, virtualKey: string): z.input<typeof TeamWithKey> => ({
  ...shared(row),
  credits: {
    team_id: row.team_id,
    organization_id: row.organization_id,
    ...creditsOf(row),
    virtual_key: virtualKey,
  },
});
