import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { signToken, tokenLifetimeMs } from '../../auth/tokens.ts';
import { writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import type { AdminUser } from '../../db/entities/admin-user.ts';
import type { SessionKind } from '../../domain/session-kind.ts';
import type { ServiceContext } from '../context.ts';

export const maxUserAgentCharacters = 1_000;

/** A session of an admin user that was opened now. */
export interface OpenedSession {
  /** A secret: nothing of it but a digest is stored. */
  token: string;
  user: AdminUser;
  expiresAt: Date;
}

/** Makes a session of this user and its token, with an audit entry for its purpose, in the transaction of `entities`. */
export async function openSession(
  entities: SqlEntityManager,
  { deps, ip, userAgent, newId }: ServiceContext,
  user: AdminUser,
  { kind, action, details }: { kind: SessionKind; action: 'setup_owner' | 'login'; details?: Record<string, unknown> },
): Promise<OpenedSession> {
  const session_id = newId('session');
  const created_at = new Date();
  const expiresAt = new Date(created_at.getTime() + tokenLifetimeMs);
  const token = signToken(deps.secrets.jwtKey, user, session_id, created_at);
  await entities.insert(AdminSession, {
    session_id,
    user_id: user.user_id,
    kind,
    token_hash: deps.secrets.lookupHash(token),
    expires_at: expiresAt,
    ip_address: ip,
    user_agent: userAgent?.slice(0, maxUserAgentCharacters),
    is_revoked: false,
    created_at,
  });
  const caller = { kind: 'user', userId: user.user_id } as const;
  await writeRepeatableEntry(
    entities,
    { caller, ip },
    { action, resource_type: 'admin_user', resource_id: user.user_id, details: { email: user.email, ...details } },
  );
  return { token, user, expiresAt };
}
