import type { AdminRole } from '../../domain/admin-roles.ts';
import type { SessionKind } from '../../domain/session-kind.ts';
import type { Database } from '../connection/database.ts';
import { notIdle, type SessionUse, touch } from '../sessions/idle.ts';
import { statement } from '../sql/statement.ts';

export interface SessionUser {
  session_id: string;
  user_id: string;
  email: string;
  role: AdminRole;
}

/** Tables and conditions: one row for each session of the kind that has not ended, with its active user. */
export const openAdminSessions = (
  kind: SessionKind,
): string => `admin_sessions s join admin_users u on u.user_id = s.user_id
    where not s.is_revoked and s.expires_at > now() and u.is_active and s.kind = '${kind}'`;

const columns = 's.session_id, u.user_id, u.email, u.role';

const sql = statement(
  'find_session_user',
  `select ${columns} from ${openAdminSessions('token')} and s.token_hash = any (:token_hashes::bytea[])`,
);

const byCookieSql = statement(
  'find_cookie_session_user',
  `with found as (
     select ${columns}, s.expires_at
       from ${openAdminSessions('cookie')} and s.token_hash = any (:token_hashes::bytea[]) and ${notIdle('s')}
   ), ${touch('admin_sessions')}
   select * from found`,
);

/**
 * The user of an access token that was sent as such. Read on every request, so that a logout, a new role or a deactivation takes
 * effect at once. `spec 2.8`
 */
export async function findSessionUser(
  database: Database,
  tokenHashes: readonly Buffer[],
): Promise<SessionUser | undefined> {
  const [row] = await database.query<SessionUser>(sql, { token_hashes: tokenHashes });
  return row;
}

/** The user of a token that came in a cookie: its session also ends when it was not used for `idle_seconds`. Notes its use. */
export async function findCookieSessionUser(
  database: Database,
  tokenHashes: readonly Buffer[],
  use: SessionUse,
): Promise<(SessionUser & { expires_at: Date }) | undefined> {
  const values = { token_hashes: tokenHashes, ...use };
  const [row] = await database.query<SessionUser & { expires_at: Date }>(byCookieSql, values);
  return row;
}
