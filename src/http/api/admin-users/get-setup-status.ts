import { SetupStatus } from '../../../contracts/admin-users.ts';
import { hasAdminUsers } from '../../../services/admin-users/read-admin-users.ts';
import { route } from '../../route.ts';

export const getSetupStatus = route(
  {
    operationId: 'getSetupStatus',
    method: 'get',
    path: '/api/admin-users/setup/status',
    summary: 'Whether the first owner is still to be set up, and how one may sign in',
    tag: 'Admin users',
    access: { audience: [] },
    response: SetupStatus,
  },
  async (context) => {
    const has_users = await hasAdminUsers(context.deps);
    const { SETUP: setup, OIDC_ISSUER, OIDC_LABEL } = context.deps.config;
    return {
      needs_setup: !has_users,
      has_users,
      ...(OIDC_ISSUER && { oidc_label: OIDC_LABEL }),
      ...(!has_users && setup !== 'open' && { setup }),
    };
  },
);
