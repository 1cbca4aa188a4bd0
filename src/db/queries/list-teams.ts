import type { TeamStatus } from '../../domain/team.ts';
import { type Database, statement } from '../database.ts';
import { selectTeams, type TeamRow } from './find-team.ts';

export interface TeamSelection {
  organization_id?: string | undefined;
  status?: TeamStatus | undefined;
  limit: number;
  offset: number;
}

const where = 'where ($1::text is null or t.organization_id = $1) and ($2::text is null or t.status = $2)';
const listSql = statement('list_teams', selectTeams(`${where} order by t.created_at, t.team_id limit $3 offset $4`));
const countSql = statement('count_teams', `select count(*) as total from teams t ${where}`);

/** The page that was asked for, the oldest first, and how many there are in all. */
export async function listTeams(
  database: Database,
  { organization_id, status, limit, offset }: TeamSelection,
): Promise<{ total: number; rows: TeamRow[] }> {
  const filter = [organization_id ?? null, status ?? null];
  const [[counted], rows] = await Promise.all([
    database.query<{ total: number }>(countSql, filter),
    database.query<TeamRow>(listSql, [...filter, limit, offset]),
  ]);
  return { total: counted!.total, rows };
}

const idsSql = statement(
  'list_team_ids',
  'select team_id from teams where organization_id = $1 order by created_at, team_id',
);

export async function listTeamIds(database: Database, organizationId: string): Promise<string[]> {
  const rows = await database.query<{ team_id: string }>(idsSql, [organizationId]);
  return rows.map((row) => row.team_id);
}
