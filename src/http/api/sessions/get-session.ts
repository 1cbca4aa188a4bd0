import { Session } from '../../../contracts/sessions.ts';
import { getSession as get } from '../../../services/sessions/get-session.ts';
import { route } from '../../route.ts';
import { serializeSession } from './serialize-session.ts';

export const getSession = route(
  {
    operationId: 'getSession',
    method: 'get',
    path: '/api/session',
    summary: 'Read who the caller is, and what it may do',
    description: 'By cookie or by any other credential.',
    tag: 'Session',
    access: { audience: ['team', 'admin', 'user'] },
    response: Session,
  },
  async (context) => serializeSession(await get(context), context.deps.config),
);
