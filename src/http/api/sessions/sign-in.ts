import { Session, SignIn } from '../../../contracts/sessions.ts';
import { refuse } from '../../../errors.ts';
import { signIn as openSession } from '../../../services/sessions/sign-in.ts';
import { route } from '../../route.ts';
import { passwordLimits } from '../admin-users/request-password-limits.ts';
import { serializeSession } from './serialize-session.ts';

export const signIn = route(
  {
    operationId: 'signIn',
    method: 'post',
    path: '/api/session',
    summary: 'Sign in to the console',
    description:
      'With `email` and `password` of an admin user, and a `code` where the user has a second factor, or with the `virtual_key` of a team. The answer sets a cookie, which is the ' +
      'credential of a browser: `__Host-gateway-session-` and ten characters of the installation, without `__Host-` over plain http on a ' +
      'loopback address. A session of an admin lasts 24 hours, that of a team 8 hours and not longer than its key. With the cookie, a request other than GET needs ' +
      '`Sec-Fetch-Site: same-origin`, or without that header an `Origin` that is the host of the request, and `X-Console: 1`.',
    tag: 'Session',
    idempotent: false,
    body: {
      schema: SignIn.meta({ example: { email: 'grace@example.com', password: 'quiet harbor lantern nineteen' } }),
    },
    access: { audience: [], guardsAccounts: true },
    response: Session,
    responseHeaders: ['Set-Cookie'],
    errors: [
      'login_failed',
      'second_factor_required',
      'second_factor_wrong',
      'key_invalid',
      'account_inactive',
      'team_suspended',
      'cross_site_request',
      'too_many_logins',
    ],
    secret: true,
  },
  async (context) => {
    const { deps, body, setHeader, sessionCookie } = context;
    const cookie = sessionCookie();
    // Another page could make the browser act in a session of its author.
    if (cookie.isFromOtherOrigin) throw refuse('cross_site_request');
    const { token, session } = await openSession(context, body, passwordLimits(context));
    setHeader('Set-Cookie', cookie.setCookie(token));
    return serializeSession(session, deps.config);
  },
);
