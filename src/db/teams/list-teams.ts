import type { TeamStatus } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { oneContains } from '../sql/contains.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { statement } from '../sql/statement.ts';
import { type TeamRow, teamColumns, teamTables } from './find-team.ts';

export interface TeamSelection extends KeysetPage {
  organization_id?: string | undefined;
  status?: TeamStatus | undefined;
  q?: string | undefined;
}

const where = `(:organization_id::text is null or t.organization_id = :organization_id)
     and (:status::text is null or t.status = :status)
     and (:q::text is null or ${oneContains(['t.team_id', 't.team_alias'])})`;
const listing = {
  columns: teamColumns,
  keyset: {
    name: 'teams',
    columns: [
      { sql: 't.created_at', type: 'timestamptz', direction: 'asc' },
      { sql: 't.team_id', type: 'text', direction: 'asc' },
    ],
  },
  from: (after: string) => `${teamTables} where ${where} and ${after}`,
  count: `select count(*) as total from teams t where ${where}`,
} as const;

/** The oldest first. */
export const listTeams = (database: Database, { organization_id, status, q, ...page }: TeamSelection) =>
  readKeysetPage<TeamRow>(
    database,
    listing,
    { organization_id: organization_id ?? null, status: status ?? null, q: q ?? null },
    page,
  );

const idsSql = statement(
  'list_team_ids',
  'select team_id from teams where organization_id = :organization_id order by created_at, team_id',
);

export async function listTeamIds(database: Database, organizationId: string): Promise<string[]> {
  const rows = await database.reports.query<{ team_id: string }>(idsSql, { organization_id: organizationId });
  return rows.map((row) => row.team_id);
}
