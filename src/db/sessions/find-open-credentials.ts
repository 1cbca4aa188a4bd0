import { openAdminSessions } from '../admin-users/find-session-user.ts';
import type { Database } from '../connection/database.ts';
import { validKey } from '../keys/find-team-by-key.ts';
import { statement } from '../sql/statement.ts';
import { openTeamSessions } from '../team-sessions/find-team-session.ts';
import { notIdle } from './idle.ts';

/** Credentials by what identifies them in the record. */
export interface Credentials {
  /** Ids of sessions of admins, by access token. */
  admin_sessions: readonly string[];
  /** The same, by cookie. */
  admin_cookies: readonly string[];
  team_sessions: readonly string[];
  /** Views of teams: the id of the admin's session, a blank, and that of the team. */
  team_views: readonly string[];
  key_hashes: readonly Buffer[];
}

const openTeamViews = `team_views v
      join admin_sessions s on s.session_id = v.session_id
      join admin_users u on u.user_id = s.user_id
      join teams t on t.team_id = v.team_id and t.status = 'active'
      join organizations o on o.organization_id = t.organization_id and o.status = 'active'
     where v.expires_at > now() and not s.is_revoked and s.expires_at > now() and (s.kind = 'token' or ${notIdle('s')})
      and u.is_active and u.role in ('owner', 'admin')`;

const sql = statement(
  'find_open_credentials',
  `select s.session_id::text as id from ${openAdminSessions('token')} and u.role in ('owner', 'admin')
      and s.session_id = any (:admin_sessions::uuid[])
    union all
   select s.session_id::text from ${openAdminSessions('cookie')} and u.role in ('owner', 'admin')
      and s.session_id = any (:admin_cookies::uuid[]) and ${notIdle('s')}
    union all
   select s.session_id::text from ${openTeamSessions} and s.session_id = any (:team_sessions::uuid[])
    union all
   select s.session_id || ' ' || v.team_id from ${openTeamViews}
      and s.session_id || ' ' || v.team_id = any (:team_views::text[])
    union all
   select encode(k.key_hash, 'hex') from ${validKey('k.key_hash = any (:key_hashes::bytea[])')} and t.status = 'active' and o.status = 'active'`,
);

/** Finds those of the credentials that may still read the changes of their tenant: ids of sessions and of views, and hashes of keys in hexadecimal. */
export async function findOpenCredentials(
  database: Database,
  credentials: Credentials,
  idleSeconds: number,
): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(sql, { ...credentials, idle_seconds: idleSeconds });
  return new Set(rows.map(({ id }) => id));
}
