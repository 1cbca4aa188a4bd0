import { auditEntry, writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { deleteTeamSession } from '../../db/team-sessions/delete-team-sessions.ts';
import { type CookieSession, requireUser, type UserCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** Ends the session of the admin user who calls, of an access token or a cookie. */
export const logOut = (context: ServiceContext): Promise<void> => endAdminSession(context, requireUser(context.caller));

/** Ends the caller's session. A key has none: it stays as it is. */
export async function signOut(context: ServiceContext): Promise<void> {
  const { caller } = context;
  if (caller.kind === 'user') await endAdminSession(context, caller);
  if (caller.kind === 'team' && caller.cookie) await endTeamSession(context, caller.teamId, caller.cookie);
}

const endAdminSession = (context: ServiceContext, { userId, sessionId }: UserCaller): Promise<void> =>
  context.deps.database.transaction(async (entities) => {
    await entities.nativeUpdate(AdminSession, { session_id: sessionId }, { is_revoked: true });
    await writeRepeatableEntry(entities, context, {
      action: 'logout',
      resource_type: 'admin_user',
      resource_id: userId,
    });
  });

function endTeamSession(context: ServiceContext, teamId: string, { sessionId }: CookieSession): Promise<unknown> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, { action: 'logout', resource_type: 'team', resource_id: teamId });
  return deleteTeamSession(deps.database, sessionId, entry);
}
