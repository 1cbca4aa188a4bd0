import type { z } from 'zod';
import type { Team, TeamWithKey } from '../../../contracts/teams.ts';
import type { TeamRow } from '../../../db/teams/find-team.ts';
import { defaultBillingPolicy } from '../../../domain/billing-policy.ts';

/** The row in the forms of JSON. The schema of each answer takes from it what that answer shows. */
export const serializeTeam = ({ credits_held, ...row }: TeamRow) =>
  ({
    ...row,
    ...((row.low_balance_policy === 'reserve' || credits_held > 0) && {
      credits_held,
      credits_available: row.credits_remaining - credits_held,
    }),
    usd_per_credit: row.usd_per_credit === null ? null : Number(row.usd_per_credit),
    billing_policy: row.billing_policy ?? defaultBillingPolicy,
    reserve_credits: row.reserve_credits ?? 1,
    credits_per_dollar: row.credits_per_dollar === null ? null : Number(row.credits_per_dollar),
    next_refill_at: row.next_refill_at?.toISOString() ?? null,
    last_refill_at: row.last_refill_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }) satisfies z.input<typeof Team>;

export const serializeTeamWithKey = (row: TeamRow, virtual_key: string): z.input<typeof TeamWithKey> => {
  const team = serializeTeam(row);
  return { ...team, credits: { ...team, virtual_key } };
};
