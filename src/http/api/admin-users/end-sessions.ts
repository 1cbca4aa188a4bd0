import { Message } from '../../../contracts/fields.ts';
import { SessionParams } from '../../../contracts/sessions.ts';
import { endOwnSession as endOne, endOtherSessions as endOthers } from '../../../services/sessions/own-sessions.ts';
import { route } from '../../route.ts';

export const endOwnSession = route(
  {
    operationId: 'endOwnSession',
    method: 'delete',
    path: '/api/admin-users/me/sessions/{session_id}',
    summary: "End one of the caller's sessions",
    tag: 'Admin users',
    access: { audience: ['user'] },
    params: SessionParams,
    response: Message.meta({ example: { message: 'Session ended successfully' } }),
    errors: ['session_not_found'],
  },
  async (context) => {
    await endOne(context, context.params.session_id);
    return { message: 'Session ended successfully' };
  },
);

export const endOtherSessions = route(
  {
    operationId: 'endOtherSessions',
    method: 'delete',
    path: '/api/admin-users/me/sessions',
    summary: "End all of the caller's sessions but that of the request",
    tag: 'Admin users',
    access: { audience: ['user'] },
    response: Message.meta({ example: { message: '2 sessions ended successfully' } }),
  },
  async (context) => {
    const ended = await endOthers(context);
    return { message: `${ended} ${ended === 1 ? 'session' : 'sessions'} ended successfully` };
  },
);
