import { z } from 'zod';
import { AdminUserListQuery, AdminUserResponse } from '../../../contracts/admin-users.ts';
import { listAdminUsers as list } from '../../../services/admin-users/read-admin-users.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeAdminUser } from './serialize-admin-user.ts';

export const listAdminUsers = route(
  {
    operationId: 'listAdminUsers',
    method: 'get',
    path: '/api/admin-users',
    summary: 'List the admin users, oldest first',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    limits: { place: 'lists' },
    query: AdminUserListQuery,
    response: z.array(AdminUserResponse),
    responseHeaders: Object.values(pageHeaders),
    csv: { name: 'admin-users', row: AdminUserResponse, rows: (users) => users },
  },
  async (context) => {
    const page = await list(context, context.query);
    setPageHeaders(context, page);
    return page.rows.map(serializeAdminUser);
  },
);
