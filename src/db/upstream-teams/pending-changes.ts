import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A change is taken for 60 s: longer than the slowest update, a handful of requests of 5 s. */
const takeSql = statement(
  'take_upstream_change',
  `update upstream_changes set carried_until = clock_timestamp() + interval '60 s'
    where team_id = :team_id and (carried_until is null or carried_until < clock_timestamp())
   returning version`,
);
const doneSql = statement(
  'upstream_change_done',
  'delete from upstream_changes where team_id = :team_id and version = :version returning team_id',
);
const laterSql = statement(
  'upstream_change_later',
  'update upstream_changes set carried_until = null, changed_at = clock_timestamp() where team_id = :team_id',
);
const waitingSql = statement(
  'list_upstream_changes',
  `select team_id from upstream_changes
    where carried_until is null or carried_until < clock_timestamp() order by changed_at limit :limit`,
);

/**
 * The version to carry over; undefined when there is none, or another process carries it over. One at a time, so that no older
 * version overtakes a newer one.
 */
export async function takeUpstreamChange(database: Database, teamId: string): Promise<number | undefined> {
  const [row] = await database.query<{ version: number }>(takeSql, { team_id: teamId });
  return row?.version;
}

/** False: the team has changed since the version was taken. */
export async function upstreamChangeDone(database: Database, teamId: string, version: number): Promise<boolean> {
  return (await database.query(doneSql, { team_id: teamId, version })).length > 0;
}

/** The upstream did not take the change: any process may try again, after the changes that wait already. */
export const upstreamChangeLater = (database: Database, teamId: string) =>
  database.query(laterSql, { team_id: teamId });

/** Teams with changes that the upstream lacks and no process is carrying over, the longest waiting first. */
export async function listUpstreamChanges(database: Database, limit: number): Promise<string[]> {
  const rows = await database.query<{ team_id: string }>(waitingSql, { limit });
  return rows.map((row) => row.team_id);
}
