import { SetupStatus } from '../../../contracts/admin-users.ts';
import { hasAdminUsers } from '../../../services/admin-users/read-admin-users.ts';
import { route } from '../../route.ts';

export const getSetupStatus = route(
  {
    operationId: 'getSetupStatus',
    method: 'get',
    path: '/api/admin-users/setup/status',
    summary: 'Whether the first owner is still to be set up',
    tag: 'Admin users',
    access: { audience: [] },
    response: SetupStatus,
  },
  async (context) => {
    const has_users = await hasAdminUsers(context.deps);
    const { SETUP: setup } = context.deps.config;
    return { needs_setup: !has_users, has_users, ...(!has_users && setup !== 'open' && { setup }) };
  },
);
