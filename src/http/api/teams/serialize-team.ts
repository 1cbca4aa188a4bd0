import type { z } from 'zod';
import type { Team, TeamWithKey } from '../../../contracts/teams.ts';
import type { TeamRow } from '../../../db/teams/find-team.ts';

/** The row in the forms of JSON. The schema of each answer takes from it what that answer shows. */
export const serializeTeam = (row: TeamRow) =>
  ({
    ...row,
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
