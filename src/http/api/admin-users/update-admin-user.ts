import { AdminUserParams, AdminUserResponse, UpdateAdminUser } from '../../../contracts/admin-users.ts';
import { updateAdminUser as update } from '../../../services/admin-users/update-admin-user.ts';
import { route } from '../../route.ts';
import { serializeAdminUser } from './serialize-admin-user.ts';

export const updateAdminUser = route(
  {
    operationId: 'updateAdminUser',
    method: 'put',
    path: '/api/admin-users/{user_id}',
    summary: 'Change an admin user',
    description: 'Named fields are replaced. Deactivation ends the sessions of the user.',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    params: AdminUserParams,
    body: { schema: UpdateAdminUser.meta({ example: { role: 'admin' } }) },
    response: AdminUserResponse.meta({
      example: {
        user_id: 'd41a7e95-08b3-4f62-9c1d-72e5b0f8a634',
        email: 'alan@example.com',
        display_name: 'Alan Turing',
        role: 'admin',
        last_login: null,
      },
    }),
    errors: ['role_insufficient', 'user_not_found', 'last_owner'],
  },
  async (context) => serializeAdminUser(await update(context, context.params.user_id, context.body)),
);
