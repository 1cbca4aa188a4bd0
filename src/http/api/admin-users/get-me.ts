import { AdminUserResponse } from '../../../contracts/admin-users.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { refuse } from '../../../errors.ts';
import { userOf } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { serializeAdminUser } from './support/serialize-admin-user.ts';

export const getMe = route(
  {
    method: 'get',
    path: '/api/admin-users/me',
    summary: "Read the caller's own account",
    tag: 'Admin users',
    access: { audience: ['user'] },
    response: AdminUserResponse,
  },
  async ({ deps, caller }) => {
    const user = await deps.database.entities().findOne(AdminUser, { user_id: userOf(caller).userId });
    if (!user) throw refuse('session_invalid');
    return serializeAdminUser(user);
  },
);
