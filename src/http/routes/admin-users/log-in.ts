import { LogIn, SessionAnswer } from '../../../contracts/admin-users.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { refuse } from '../../../errors.ts';
import { limitLogins } from '../../limit-logins.ts';
import { route } from '../../route.ts';
import { failedLogin } from './audit-failure.ts';
import { openSession } from './open-session.ts';

export const logIn = route(
  {
    method: 'post',
    path: '/api/admin-users/login',
    summary: 'Log in with e-mail and password',
    description: 'The access token lasts 24 hours, or until logout. The e-mail is matched case and all.',
    tag: 'Admin users',
    auth: [],
    body: LogIn,
    response: SessionAnswer,
    errors: ['login_failed', 'account_inactive', 'too_many_logins'],
    secret: true,
  },
  async (context) => {
    const { deps, body } = context;
    return limitLogins(context, body.email, async () => {
      const known = await deps.database.entities().findOne(AdminUser, { email: body.email });
      // Compared even if there is no user of that e-mail, which the time must not show.
      const matches = await deps.passwords.matches(body.password, known?.password_hash);
      if (!known || !matches) throw refuse('login_failed');
      return deps.database.transaction(async (entities) => {
        const { user_id, password_hash } = known;
        // The row is locked from here on: no deactivation or new password can come between this and the session.
        const stillSo = { user_id, password_hash, is_active: true };
        const count = await entities.nativeUpdate(AdminUser, stillSo, { last_login: new Date() });
        if (count === 0) {
          const isDeactivated = (await entities.count(AdminUser, { ...stillSo, is_active: false })) > 0;
          throw refuse(isDeactivated ? 'account_inactive' : 'login_failed');
        }
        return openSession(entities, context, await entities.findOneOrFail(AdminUser, { user_id }), 'login');
      });
    }).catch(failedLogin(context, body.email));
  },
);
