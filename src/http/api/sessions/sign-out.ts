import { Message } from '../../../contracts/fields.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { deleteTeamSession } from '../../../db/team-sessions/delete-team-sessions.ts';
import type { CookieSession } from '../../../services/caller.ts';
import { type RequestContext, route } from '../../route.ts';
import { endSession } from '../admin-users/support/end-session.ts';

export const signOut = route(
  {
    method: 'delete',
    path: '/api/session',
    summary: "End the caller's session, and clear its cookie",
    description: 'A key has no session: it stays as it is.',
    tag: 'Session',
    access: { audience: ['team', 'admin', 'user'], openToTeamSessions: true },
    response: Message,
    responseHeaders: ['Set-Cookie'],
    example: { response: { message: 'Signed out successfully' } },
  },
  async (context) => {
    const { caller, setHeader, sessionCookie } = context;
    if (caller.kind === 'user') await endSession(context, caller);
    if (caller.kind === 'team' && caller.cookie) await endTeamSession(context, caller.teamId, caller.cookie);
    setHeader('Set-Cookie', sessionCookie().clearCookie);
    return { message: 'Signed out successfully' };
  },
);

function endTeamSession(context: RequestContext, teamId: string, { sessionId }: CookieSession): Promise<unknown> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, { action: 'logout', resource_type: 'team', resource_id: teamId });
  return deleteTeamSession(deps.database, sessionId, entry);
}
