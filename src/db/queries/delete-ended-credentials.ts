import { type Database, statement } from '../database.ts';

const sessionsSql = statement(
  'delete_ended_sessions',
  `delete from admin_sessions where session_id in (
     select session_id from admin_sessions
      where expires_at < now() - make_interval(days => $1)
      order by expires_at limit $2)
   returning session_id`,
);

const keysSql = statement(
  'delete_ended_keys',
  `delete from virtual_keys where key_hash in (
     select key_hash from virtual_keys
      where expires_at < now() - make_interval(days => $1) and ending_upstream
      order by expires_at limit $2)
   returning key_hash`,
);

/** Sessions of admin users that expired longer ago than the days; the audit log keeps what was done in them. Says how many. */
export async function deleteEndedSessions(database: Database, days: number, atMost: number): Promise<number> {
  return (await database.query(sessionsSql, [days, atMost])).length;
}

/** Keys that were rotated away and ended longer ago than the days, once the upstream has heard of it. Says how many. */
export async function deleteEndedKeys(database: Database, days: number, atMost: number): Promise<number> {
  return (await database.query(keysSql, [days, atMost])).length;
}
