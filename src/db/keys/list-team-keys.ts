import type { LimitReset } from '../../domain/key-limit.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

/** A further key of a team, without the key itself. */
export interface TeamKeyRow {
  key_id: string;
  name: string;
  key_hint: string;
  expires_at: Date | null;
  credit_limit: number | null;
  limit_reset: LimitReset | null;
  created_at: Date;
  last_used_at: Date | null;
  credits_used: number;
  credits_held: number;
}

/** The sums are those that the trigger `keep_key_limit` compares with the limit. */
const listing = (condition: string) => `
  select k.key_id, k.name, k.key_hint, k.expires_at, k.credit_limit, k.limit_reset, k.created_at, k.last_used_at,
         (select coalesce(sum(d.credits_used), 0)::bigint from team_key_days d
           where d.key_id = k.key_id and d.day >= start_of_key_limit(k.limit_reset)) as credits_used,
         (select coalesce(sum(j.key_credits_held), 0)::bigint from jobs j
           where j.key_id = k.key_id and ${jobIsOpen('j.status')}) as credits_held
    from team_keys k where ${condition} order by k.created_at, k.key_id`;

const listSql = statement('list_team_keys', listing('k.team_id = :team_id'));
const findSql = statement('find_team_key', listing('k.key_id = :key_id'));

/** The oldest first. */
export const listTeamKeys = ({ reports }: Database, team_id: string): Promise<TeamKeyRow[]> =>
  reports.query<TeamKeyRow>(listSql, { team_id });

export async function findTeamKey(database: Database, key_id: string): Promise<TeamKeyRow | undefined> {
  const [row] = await database.query<TeamKeyRow>(findSql, { key_id });
  return row;
}
