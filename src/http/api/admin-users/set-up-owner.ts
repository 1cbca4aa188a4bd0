import { SessionResponse, SetUpOwner } from '../../../contracts/admin-users.ts';
import { setUpOwner as setUp } from '../../../services/admin-users/set-up-owner.ts';
import { route } from '../../route.ts';
import { passwordLimits } from './request-password-limits.ts';
import { serializeLogin } from './serialize-admin-user.ts';

/** The owner in the example is the first one, who has not logged in yet. */
const owner = {
  user_id: 'b2f90a6c-4e17-4d58-8a3b-6d0c95e7f214',
  email: 'grace@example.com',
  display_name: 'Grace Hopper',
  role: 'owner',
  is_active: true,
  created_at: '2026-01-31T09:30:00.000Z',
  last_login: null,
  signs_in_by: 'password',
  second_factor: false,
  metadata: {},
};

export const setUpOwner = route(
  {
    operationId: 'setUpOwner',
    method: 'post',
    path: '/api/admin-users/setup',
    summary: 'Create the first owner',
    description:
      'Works once, while there is no admin user. An installation may want the platform key in `X-Admin-Key` (setting `SETUP=master-key`, the default where the api is reached from outside its machine), or refuse it (`off`).',
    tag: 'Admin users',
    idempotent: false,
    body: { schema: SetUpOwner },
    access: { audience: [], protectedBy: 'SETUP', guardsAccounts: true },
    response: SessionResponse.meta({ example: { user: owner } }),
    errors: ['setup_completed'],
    secret: true,
  },
  async (context) => serializeLogin(await setUp(context, context.body, passwordLimits(context))),
);
