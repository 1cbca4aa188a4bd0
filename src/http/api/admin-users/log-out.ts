import { Message } from '../../../contracts/fields.ts';
import { logOut as logOutUser } from '../../../services/sessions/sign-out.ts';
import { route } from '../../route.ts';

export const logOut = route(
  {
    operationId: 'logOut',
    method: 'post',
    path: '/api/admin-users/logout',
    summary: 'End the session of this access token',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['user'] },
    response: Message.meta({ example: { message: 'Logged out successfully' } }),
  },
  async (context) => {
    await logOutUser(context);
    return { message: 'Logged out successfully' };
  },
);
