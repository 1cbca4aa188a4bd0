import { z } from 'zod';
import { AdminUserAnswer, AdminUserListQuery } from '../../../contracts/admin-users.ts';
import { listAdminUsers as list } from '../../../db/admin-users/list-admin-users.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
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
    query: AdminUserListQuery,
    response: z.array(AdminUserAnswer),
    answerHeaders: Object.values(pageHeaders),
    csv: { name: 'admin-users', row: AdminUserAnswer, rows: (users) => users },
  },
  async (context) => {
    const page = await list(context.deps.database, context.query);
    setPageHeaders(context, page);
    return page.rows.map(serializeAdminUser);
  },
);
