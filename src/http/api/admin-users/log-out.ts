import { Message } from '../../../contracts/fields.ts';
import { userOf } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { endSession } from './support/end-session.ts';

export const logOut = route(
  {
    method: 'post',
    path: '/api/admin-users/logout',
    summary: 'End the session of this access token',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['user'] },
    response: Message,
    example: { response: { message: 'Logged out successfully' } },
  },
  async (context) => {
    await endSession(context, userOf(context.caller));
    return { message: 'Logged out successfully' };
  },
);
