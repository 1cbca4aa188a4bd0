import { LogIn, SessionResponse } from '../../../contracts/admin-users.ts';
import { route } from '../../route.ts';
import { logInByPassword } from './support/log-in-by-password.ts';

export const logIn = route(
  {
    method: 'post',
    path: '/api/admin-users/login',
    summary: 'Log in with e-mail and password',
    description:
      'The access token lasts 24 hours, or until logout. It is a bearer token, and nothing in a cookie. The e-mail is matched case and all.',
    tag: 'Admin users',
    idempotent: false,
    body: { schema: LogIn },
    access: { audience: [], guardsAccounts: true },
    response: SessionResponse,
    errors: ['login_failed', 'account_inactive', 'too_many_logins'],
    secret: true,
  },
  (context) => logInByPassword(context, context.body, 'token'),
);
