import { tokenLifetimeMs } from '../../../auth/tokens.ts';
import { Session, SignIn } from '../../../contracts/sessions.ts';
import { refuse } from '../../../errors.ts';
import { type RequestContext, route } from '../../route.ts';
import { logInByPassword } from '../admin-users/support/log-in-by-password.ts';
import { sessionOfTeam, sessionOfUser } from './support/serialize-session.ts';
import { signInByKey } from './support/sign-in-by-key.ts';

export const signIn = route(
  {
    method: 'post',
    path: '/api/session',
    summary: 'Sign in to the console',
    description:
      'With `email` and `password` of an admin user, or with the `virtual_key` of a team. The answer sets a cookie, which is the ' +
      'credential of a browser: `__Host-session`, or `session` over plain http on a loopback address. A session of an admin lasts ' +
      '24 hours, that of a team 8 hours and not longer than its key. With the cookie, a request other than GET needs ' +
      '`Sec-Fetch-Site: same-origin`, or without that header an `Origin` that is the host of the request, and `X-Console: 1`.',
    tag: 'Session',
    idempotent: false,
    body: { schema: SignIn },
    access: { audience: [], guardsAccounts: true },
    response: Session,
    responseHeaders: ['Set-Cookie'],
    errors: [
      'login_failed',
      'key_invalid',
      'account_inactive',
      'team_suspended',
      'cross_site_request',
      'too_many_logins',
    ],
    secret: true,
    example: { body: { email: 'grace@example.com', password: 'quiet harbor lantern nineteen' } },
  },
  async (context) => {
    const { body, setHeader, sessionCookie } = context;
    const cookie = sessionCookie();
    // Another page could make the browser act in a session of its author.
    if (cookie.isFromOtherOrigin) throw refuse('cross_site_request');
    const { token, session } = await openSession(context, body);
    setHeader('Set-Cookie', cookie.setCookie(token));
    return session;
  },
);

async function openSession(context: RequestContext, { email, password, virtual_key }: SignIn) {
  const { deps } = context;
  if (typeof virtual_key === 'string') {
    const { token, teamId, expiresAt } = await signInByKey(context, virtual_key);
    return { token, session: await sessionOfTeam(deps, teamId, 'team session', expiresAt) };
  }
  const { access_token, user } = await logInByPassword(context, { email: email!, password: password! }, 'cookie');
  return { token: access_token, session: sessionOfUser(deps, user, new Date(Date.now() + tokenLifetimeMs)) };
}
