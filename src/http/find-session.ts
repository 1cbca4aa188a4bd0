import { isGenuineToken } from '../auth/tokens.ts';
import { findSessionUser } from '../db/queries/find-session-user.ts';
import type { Deps } from '../deps.ts';
import type { UserCaller } from './caller.ts';

/** The admin user of this access token; undefined when the token is not ours, has expired or was revoked. */
export async function findSession({ secrets, database }: Deps, token: string): Promise<UserCaller | undefined> {
  if (!isGenuineToken(secrets.jwtKey, token)) return undefined;
  const user = await findSessionUser(database, secrets.lookupHash(token));
  if (!user) return undefined;
  return { kind: 'user', userId: user.user_id, email: user.email, role: user.role, sessionId: user.session_id };
}
