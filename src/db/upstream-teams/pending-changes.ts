import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A claim lasts for 60 s: longer than the slowest update, a handful of requests of 5 s. */
const claimSql = statement(
  'claim_upstream_change',
  `update upstream_changes set claimed_until = clock_timestamp() + interval '60 s'
    where team_id = :team_id and (claimed_until is null or claimed_until < clock_timestamp())
   returning version`,
);
const completeSql = statement(
  'complete_upstream_change',
  'delete from upstream_changes where team_id = :team_id and version = :version returning team_id',
);
const releaseSql = statement(
  'release_upstream_change',
  'update upstream_changes set claimed_until = null, changed_at = clock_timestamp() where team_id = :team_id',
);
const pendingSql = statement(
  'list_pending_changes',
  `select team_id from upstream_changes
    where claimed_until is null or claimed_until < clock_timestamp() order by changed_at limit :limit`,
);

/**
 * The version to send; undefined when there is none, or another process is sending it. One at a time, so that no older version
 * overtakes a newer one.
 */
export async function claimUpstreamChange(database: Database, teamId: string): Promise<number | undefined> {
  const [row] = await database.query<{ version: number }>(claimSql, { team_id: teamId });
  return row?.version;
}

/** The upstream has the version. False: the team has changed since the version was claimed. */
export async function completeUpstreamChange(database: Database, teamId: string, version: number): Promise<boolean> {
  return (await database.query(completeSql, { team_id: teamId, version })).length > 0;
}

/** The upstream did not accept the change: any process may try again, after the changes that wait already. */
export const releaseUpstreamChange = (database: Database, teamId: string) =>
  database.query(releaseSql, { team_id: teamId });

/** Teams with changes that the upstream has not received and no process is sending, the longest waiting first. */
export async function listPendingChanges(database: Database, limit: number): Promise<string[]> {
  const rows = await database.query<{ team_id: string }>(pendingSql, { limit });
  return rows.map((row) => row.team_id);
}
