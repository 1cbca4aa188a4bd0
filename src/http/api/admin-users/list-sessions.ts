import { OwnSessionList } from '../../../contracts/sessions.ts';
import { requireUser } from '../../../services/caller.ts';
import { listOwnSessions } from '../../../services/sessions/own-sessions.ts';
import { route } from '../../route.ts';

export const listSessions = route(
  {
    operationId: 'listOwnSessions',
    method: 'get',
    path: '/api/admin-users/me/sessions',
    summary: "List the caller's sessions that have not ended, newest first",
    tag: 'Admin users',
    access: { audience: ['user'] },
    response: OwnSessionList,
  },
  async (context) => {
    const { sessionId } = requireUser(context.caller);
    const sessions = await listOwnSessions(context);
    return {
      sessions: sessions.map(({ created_at, expires_at, ...session }) => ({
        ...session,
        created_at: created_at.toISOString(),
        expires_at: expires_at.toISOString(),
        is_current: session.session_id === sessionId,
      })),
    };
  },
);
