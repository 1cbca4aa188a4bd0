import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface BurnFigures {
  credits_remaining: number;
  credit_limit: number | null;
  credits_used: number;
  /** Length of the period in days. */
  days: number;
}

/** The period is six whole days and today, in UTC as the sums of days; of a younger team the time since its creation. */
const sql = statement(
  'burn_rate',
  `select a.credits_remaining, a.credit_limit,
          (select coalesce(sum(c.credits_used), 0) from daily_credits c
            where c.team_id = a.team_id and c.day > (now() at time zone 'utc')::date - 7)::bigint as credits_used,
          extract(epoch from now() - greatest(t.created_at, (date_trunc('day', now(), 'utc') - interval '6 days')))::float
            / 86400 as days
     from credit_accounts a join teams t on t.team_id = a.team_id where a.team_id = :team_id`,
);

/** Undefined without such a team. */
export async function readBurnRate(database: Database, teamId: string): Promise<BurnFigures | undefined> {
  const [row] = await database.query<BurnFigures>(sql, { team_id: teamId });
  return row;
}
