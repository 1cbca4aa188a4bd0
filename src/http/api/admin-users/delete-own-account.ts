import { Message } from '../../../contracts/fields.ts';
import { deleteOwnAccount as deleteOwn } from '../../../services/admin-users/delete-admin-user.ts';
import { cookieOf } from '../../../services/caller.ts';
import { route } from '../../route.ts';

export const deleteOwnAccount = route(
  {
    operationId: 'deleteOwnAccount',
    method: 'delete',
    path: '/api/admin-users/me',
    summary: "Delete the caller's own account",
    description:
      'Ends all sessions and invitations of the caller. The entries of the user in the audit log remain, with the name. The last active ' +
      'owner cannot leave.',
    tag: 'Admin users',
    access: { audience: ['user'] },
    response: Message.meta({ example: { message: 'Your account was deleted successfully' } }),
    responseHeaders: ['Set-Cookie'],
    errors: ['last_owner'],
  },
  async (context) => {
    await deleteOwn(context);
    if (cookieOf(context.caller)) context.setHeader('Set-Cookie', context.sessionCookie().clearCookie);
    return { message: 'Your account was deleted successfully' };
  },
);
