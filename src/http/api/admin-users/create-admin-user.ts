import { AdminUserResponse, CreateAdminUser } from '../../../contracts/admin-users.ts';
import { createAdminUser as create } from '../../../services/admin-users/create-admin-user.ts';
import { route } from '../../route.ts';
import { passwordLimits } from './request-password-limits.ts';
import { serializeAdminUser } from './serialize-admin-user.ts';

export const createAdminUser = route(
  {
    operationId: 'createAdminUser',
    method: 'post',
    path: '/api/admin-users',
    summary: 'Create an admin user',
    description: 'An owner creates users of any role, an admin those of role user.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['admin_user'] },
    body: {
      schema: CreateAdminUser.meta({
        example: { email: 'alan@example.com', display_name: 'Alan Turing', role: 'user' },
      }),
    },
    response: AdminUserResponse.meta({
      example: {
        user_id: 'd41a7e95-08b3-4f62-9c1d-72e5b0f8a634',
        email: 'alan@example.com',
        display_name: 'Alan Turing',
        role: 'user',
        last_login: null,
        metadata: {},
      },
    }),
    errors: ['role_insufficient', 'email_registered'],
  },
  async (context) => serializeAdminUser(await create(context, context.body, passwordLimits(context))),
);
