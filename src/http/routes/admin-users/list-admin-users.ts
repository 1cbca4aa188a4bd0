import { z } from 'zod';
import { AdminUserAnswer } from '../../../contracts/admin-users.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { route } from '../../route.ts';
import { serializeAdminUser } from './support/serialize-admin-user.ts';

export const listAdminUsers = route(
  {
    method: 'get',
    path: '/api/admin-users',
    summary: 'List the admin users, oldest first',
    tag: 'Admin users',
    auth: ['admin_user'],
    quota: 'lists',
    response: z.array(AdminUserAnswer),
  },
  async ({ deps }) => {
    const users = await deps.database.reports.snapshot((entities) =>
      entities.findAll(AdminUser, { orderBy: { created_at: 'asc', user_id: 'asc' } }),
    );
    return users.map(serializeAdminUser);
  },
);
