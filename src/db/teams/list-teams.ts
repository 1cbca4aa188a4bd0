import type { TeamStatus } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { type Page, readPage } from '../sql/read-page.ts';
import { statement } from '../sql/statement.ts';
import { type TeamRow, teamColumns, teamTables } from './find-team.ts';

export interface TeamSelection extends Page {
  organization_id?: string | undefined;
  status?: TeamStatus | undefined;
}

const where = `where (:organization_id::text is null or t.organization_id = :organization_id)
     and (:status::text is null or t.status = :status)`;
const listing = {
  name: 'list_teams',
  columns: teamColumns,
  from: `${teamTables} ${where}`,
  order: 'created_at, team_id',
  count: `select count(*) as total from teams t ${where}`,
};

/** The oldest first. */
export const listTeams = (database: Database, { organization_id, status, ...page }: TeamSelection) =>
  readPage<TeamRow>(database, listing, { organization_id: organization_id ?? null, status: status ?? null }, page);

const idsSql = statement(
  'list_team_ids',
  'select team_id from teams where organization_id = :organization_id order by created_at, team_id',
);

export async function listTeamIds(database: Database, organizationId: string): Promise<string[]> {
  const rows = await database.reports.query<{ team_id: string }>(idsSql, { organization_id: organizationId });
  return rows.map((row) => row.team_id);
}
