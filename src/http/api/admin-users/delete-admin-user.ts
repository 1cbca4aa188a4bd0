import { AdminUserParams } from '../../../contracts/admin-users.ts';
import { Message } from '../../../contracts/fields.ts';
import { deleteAdminUser as deleteUser } from '../../../services/admin-users/delete-admin-user.ts';
import { route } from '../../route.ts';

export const deleteAdminUser = route(
  {
    operationId: 'deleteAdminUser',
    method: 'delete',
    path: '/api/admin-users/{user_id}',
    summary: 'Delete an admin user',
    description:
      'Ends the sessions and the invitations of the user. The entries of the user in the audit log remain, with the name; the e-mail can be used again.',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    params: AdminUserParams,
    response: Message.meta({ example: { message: 'User alan@example.com deleted successfully' } }),
    errors: ['cannot_delete_self', 'role_insufficient', 'user_not_found', 'last_owner'],
  },
  async (context) => {
    const { email } = await deleteUser(context, context.params.user_id);
    return { message: `User ${email} deleted successfully` };
  },
);
