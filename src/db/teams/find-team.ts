import type { RefillPeriod } from '../../domain/refill.ts';
import type { TeamStatus } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { settingColumns, type TeamSettings, teamSettings } from '../entities/team.ts';
import { statement } from '../sql/statement.ts';

/** A team with its account and grants: every response about a team is made from it. It does not contain the keys. */
export interface TeamRow extends TeamSettings {
  team_id: string;
  organization_id: string;
  team_alias: string | null;
  status: TeamStatus;
  is_test: boolean;
  model_groups: string[];
  access_groups: string[];
  credits_allocated: number;
  credits_used: number;
  credits_remaining: number;
  /** What open jobs have reserved. */
  credits_held: number;
  credit_limit: number | null;
  auto_refill: boolean;
  refill_amount: number | null;
  refill_up_to: number | null;
  refill_period: RefillPeriod | null;
  next_refill_at: Date | null;
  last_refill_at: Date | null;
  metadata: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

/** Columns from `teamTables`. */
export const teamColumns = `
         t.team_id, t.organization_id, t.team_alias, t.status, t.is_test,
         array(select g.group_name from team_model_groups tg join model_groups g on g.model_group_id = tg.model_group_id
                where tg.team_id = t.team_id order by tg.position) as model_groups,
         array(select g.group_name from team_access_groups tg
                 join model_access_groups g on g.model_access_group_id = tg.model_access_group_id
                where tg.team_id = t.team_id order by g.group_name collate "C") as access_groups,
         a.credits_allocated, a.credits_used, a.credits_remaining, a.credits_held, a.credit_limit,
         a.auto_refill, a.refill_amount, a.refill_period, a.refill_up_to, a.next_refill_at, a.last_refill_at,
         ${settingColumns(teamSettings)}, t.metadata, t.created_at, t.updated_at`;

/** `t`, the team, and `a`, its account. */
export const teamTables = `
         teams t
    join credit_accounts a on a.team_id = t.team_id`;

const sql = statement('find_team', `select ${teamColumns} from ${teamTables} where t.team_id = :team_id`);

export async function findTeam(database: Database, teamId: string): Promise<TeamRow | undefined> {
  const [row] = await database.query<TeamRow>(sql, { team_id: teamId });
  return row;
}

const existsSql = statement('team_exists', 'select 1 from teams where team_id = :team_id');

export async function teamExists(database: Database, teamId: string): Promise<boolean> {
  return (await database.query(existsSql, { team_id: teamId })).length > 0;
}
