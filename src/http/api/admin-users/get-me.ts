import { AdminUserResponse } from '../../../contracts/admin-users.ts';
import { getOwnUser } from '../../../services/admin-users/read-admin-users.ts';
import { route } from '../../route.ts';
import { serializeAdminUser } from './serialize-admin-user.ts';

export const getMe = route(
  {
    operationId: 'getMe',
    method: 'get',
    path: '/api/admin-users/me',
    summary: "Read the caller's own account",
    tag: 'Admin users',
    access: { audience: ['user'] },
    response: AdminUserResponse,
  },
  async (context) => serializeAdminUser(await getOwnUser(context)),
);
