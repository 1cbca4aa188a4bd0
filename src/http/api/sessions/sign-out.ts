import { Message } from '../../../contracts/fields.ts';
import { signOut as endSession } from '../../../services/sessions/sign-out.ts';
import { route } from '../../route.ts';

export const signOut = route(
  {
    operationId: 'signOut',
    method: 'delete',
    path: '/api/session',
    summary: "End the caller's session, and clear its cookie",
    description: 'A key has no session: it stays as it is.',
    tag: 'Session',
    access: { audience: ['team', 'admin', 'user'], openToTeamSessions: true },
    response: Message.meta({ example: { message: 'Signed out successfully' } }),
    responseHeaders: ['Set-Cookie'],
  },
  async (context) => {
    await endSession(context);
    context.setHeader('Set-Cookie', context.sessionCookie().clearCookie);
    return { message: 'Signed out successfully' };
  },
);
