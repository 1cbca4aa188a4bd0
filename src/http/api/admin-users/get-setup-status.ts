import { SetupStatus } from '../../../contracts/admin-users.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { route } from '../../route.ts';

export const getSetupStatus = route(
  {
    method: 'get',
    path: '/api/admin-users/setup/status',
    summary: 'Whether the first owner is still to be set up',
    tag: 'Admin users',
    access: { audience: [] },
    response: SetupStatus,
  },
  async ({ deps }) => {
    const has_users = (await deps.database.entities().count(AdminUser)) > 0;
    const { SETUP: setup } = deps.config;
    return { needs_setup: !has_users, has_users, ...(!has_users && setup !== 'open' && { setup }) };
  },
);
