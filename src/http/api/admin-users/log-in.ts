import { LogIn, SessionResponse } from '../../../contracts/admin-users.ts';
import { logIn as logInUser } from '../../../services/sessions/log-in.ts';
import { route } from '../../route.ts';
import { passwordLimits } from './request-password-limits.ts';
import { serializeLogin } from './serialize-admin-user.ts';

export const logIn = route(
  {
    operationId: 'logIn',
    method: 'post',
    path: '/api/admin-users/login',
    summary: 'Log in with e-mail and password',
    description:
      'The access token lasts 24 hours, or until logout. It is a bearer token, and nothing in a cookie. The e-mail is matched case and all. A user with a second factor needs a `code`: without one, a right password is answered 401 `second_factor_required`.',
    tag: 'Admin users',
    idempotent: false,
    body: { schema: LogIn },
    access: { audience: [], guardsAccounts: true },
    response: SessionResponse,
    errors: ['login_failed', 'second_factor_required', 'second_factor_wrong', 'account_inactive', 'too_many_logins'],
    secret: true,
  },
  async (context) => {
    const login = { ...context.body, kind: 'token' } as const;
    return serializeLogin(await logInUser(context, login, passwordLimits(context)));
  },
);
