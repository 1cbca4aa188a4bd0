import { SessionResponse, SetUpOwner } from '../../../contracts/admin-users.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { refuse } from '../../../errors.ts';
import { withPasswords } from '../../limits/limit-logins.ts';
import { route } from '../../route.ts';
import { openSession } from './support/open-session.ts';
import { requireUncommonPassword } from './support/require-uncommon-password.ts';

/** In the example: the first owner, who has not logged in yet. */
const owner = {
  user_id: 'b2f90a6c-4e17-4d58-8a3b-6d0c95e7f214',
  email: 'grace@example.com',
  display_name: 'Grace Hopper',
  role: 'owner',
  is_active: true,
  created_at: '2026-01-31T09:30:00.000Z',
  last_login: null,
  metadata: {},
};

export const setUpOwner = route(
  {
    method: 'post',
    path: '/api/admin-users/setup',
    summary: 'Create the first owner',
    description:
      'Works once, while there is no admin user. An installation may want the platform key in `X-Admin-Key` (setting `SETUP=master-key`, the default where the api is reached from outside its machine), or refuse it (`off`).',
    tag: 'Admin users',
    idempotent: false,
    body: { schema: SetUpOwner },
    access: { audience: [], protectedBy: 'SETUP', guardsAccounts: true },
    response: SessionResponse,
    errors: ['setup_completed'],
    secret: true,
    example: { response: { user: owner } },
  },
  async (context) => {
    const { deps, body, newId } = context;
    const refuseIfDone = async (entities = deps.database.entities()) => {
      if ((await entities.count(AdminUser)) > 0) throw refuse('setup_completed');
    };
    await refuseIfDone();
    requireUncommonPassword(deps, body.password, 'password');
    const password_hash = await withPasswords(context, async () => {
      // Again when the turn has come: requests that come late cost no hash.
      await refuseIfDone();
      return deps.passwords.hash(body.password);
    });
    return deps.database.transaction(async (entities) => {
      await lockChanges(entities, 'admin users');
      await refuseIfDone(entities);
      const owner = entities.create(AdminUser, {
        user_id: newId('admin_user'),
        email: body.email,
        display_name: body.display_name,
        role: 'owner',
        password_hash,
      });
      await entities.persist(owner).flush();
      return openSession(entities, context, owner, { kind: 'token', action: 'setup_owner' });
    });
  },
);
