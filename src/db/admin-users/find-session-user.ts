import type { AdminRole } from '../../domain/admin-roles.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface SessionUser {
  session_id: string;
  user_id: string;
  email: string;
  role: AdminRole;
}

const sql = statement(
  'find_session_user',
  `select s.session_id, u.user_id, u.email, u.role
     from admin_sessions s join admin_users u on u.user_id = s.user_id
    where s.token_hash = any (:token_hashes::bytea[]) and not s.is_revoked and s.expires_at > now() and u.is_active`,
);

/** Read on every request, so that a logout, a new role or a deactivation takes effect at once. `spec 2.8` */
export async function findSessionUser(
  database: Database,
  tokenHashes: readonly Buffer[],
): Promise<SessionUser | undefined> {
  const [row] = await database.query<SessionUser>(sql, { token_hashes: tokenHashes });
  return row;
}
