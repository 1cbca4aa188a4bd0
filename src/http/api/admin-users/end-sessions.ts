import { Message } from '../../../contracts/fields.ts';
import { SessionParams } from '../../../contracts/sessions.ts';
import { endOwnSession as endOne, endOtherSessions as endOthers } from '../../../db/admin-users/own-sessions.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { refuse } from '../../../errors.ts';
import { userOf } from '../../../services/caller.ts';
import { route } from '../../route.ts';

export const endOwnSession = route(
  {
    method: 'delete',
    path: '/api/admin-users/me/sessions/{session_id}',
    summary: "End one of the caller's sessions",
    tag: 'Admin users',
    access: { audience: ['user'] },
    params: SessionParams,
    response: Message,
    errors: ['session_not_found'],
    example: { response: { message: 'Session ended successfully' } },
  },
  async (context) => {
    const { deps, params, newId } = context;
    const { session_id } = params;
    const audit_entry = auditEntry(newId('audit'), context, {
      action: 'ended_session',
      resource_type: 'admin_session',
      resource_id: session_id,
    });
    const change = { user_id: userOf(context.caller).userId, session_id, audit_entry };
    if (!(await endOne(deps.database, change))) throw refuse('session_not_found', session_id);
    return { message: 'Session ended successfully' };
  },
);

export const endOtherSessions = route(
  {
    method: 'delete',
    path: '/api/admin-users/me/sessions',
    summary: "End all of the caller's sessions but that of the request",
    tag: 'Admin users',
    access: { audience: ['user'] },
    response: Message,
    example: { response: { message: '2 sessions ended successfully' } },
  },
  async (context) => {
    const { deps, newId } = context;
    const { userId: user_id, sessionId: session_id } = userOf(context.caller);
    const audit_entry = auditEntry(newId('audit'), context, {
      action: 'ended_other_sessions',
      resource_type: 'admin_user',
      resource_id: user_id,
    });
    const ended = await endOthers(deps.database, { user_id, session_id, audit_entry });
    return { message: `${ended} ${ended === 1 ? 'session' : 'sessions'} ended successfully` };
  },
);
