import { Session } from '../../../contracts/sessions.ts';
import { AdminSession } from '../../../db/entities/admin-session.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { findKeyEnd } from '../../../db/keys/find-key-end.ts';
import { refuse } from '../../../errors.ts';
import type { TeamCaller, UserCaller } from '../../../services/caller.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { serializeAdminUser } from '../admin-users/support/serialize-admin-user.ts';
import { sessionOfPlatform, sessionOfTeam, sessionOfUser } from './support/serialize-session.ts';

export const getSession = route(
  {
    method: 'get',
    path: '/api/session',
    summary: 'Read who the caller is, and what it may do',
    description: 'By cookie or by any other credential.',
    tag: 'Session',
    access: { audience: ['team', 'admin', 'user'] },
    response: Session,
  },
  async ({ deps, caller }) => {
    if (caller.kind === 'user') return readSessionOfUser(deps, caller);
    return caller.kind === 'team' ? readSessionOfTeam(deps, caller) : sessionOfPlatform(deps);
  },
);

async function readSessionOfUser(deps: Deps, { userId: user_id, sessionId: session_id }: UserCaller) {
  const entities = deps.database.entities();
  const user = await entities.findOne(AdminUser, { user_id });
  const session = await entities.findOne(AdminSession, { session_id });
  if (!user || !session) throw refuse('session_invalid');
  return sessionOfUser(deps, serializeAdminUser(user), session.expires_at);
}

async function readSessionOfTeam(deps: Deps, { teamId, key, cookie }: TeamCaller) {
  if (cookie) return sessionOfTeam(deps, teamId, 'team session', cookie.expiresAt);
  return sessionOfTeam(deps, teamId, 'team key', await findKeyEnd(deps.database, key.hashes));
}
