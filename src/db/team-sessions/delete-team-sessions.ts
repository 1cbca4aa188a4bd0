import { auditOnceAMinute } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/**
 * The CTE that ends the sessions of the teams in `source`, if `condition` holds: a suspension ends them for good, so that none goes
 * on when the team is resumed.
 */
export const deleteTeamSessions = (source: string, condition: string): string => `
  delete from team_sessions s
   using (select o.session_id from ${source} join virtual_keys k using (team_id) join team_sessions o using (key_hash)
           union all
          select o.session_id from ${source} join team_keys k using (team_id) join team_sessions o using (key_id)) ending
   where s.session_id = ending.session_id and ${condition}`;

const sql = statement(
  'delete_team_session',
  `with ended as (
     delete from team_sessions where session_id = :session_id returning session_id
   ) ${auditOnceAMinute('ended')}`,
);

/** `auditEntry`: for `audit`. */
export const deleteTeamSession = (database: Database, sessionId: string, auditEntry: string): Promise<unknown> =>
  database.query(sql, { session_id: sessionId, audit_entry: auditEntry });
