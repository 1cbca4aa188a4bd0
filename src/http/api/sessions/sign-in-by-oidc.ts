import { z } from 'zod';
import { Refusal } from '../../../errors.ts';
import { beginOidcSignIn, completeOidcSignIn, openBegunSignIn } from '../../../services/sessions/sign-in-by-oidc.ts';
import { Redirect } from '../../reply.ts';
import { type RequestContext, route } from '../../route.ts';
import { passwordLimits } from '../admin-users/request-password-limits.ts';

/** A longer address of a page is not gone back to. */
const maxNextCharacters = 1_000;
const path = '/api/session/oidc';

/** The page to sign in, of this very service: it shows why a sign-in was refused, or goes on to the page that was asked for. */
const loginPage = (context: RequestContext, found: { done?: 'oidc'; refused?: string; next?: string | undefined }) => {
  const query = new URLSearchParams(
    Object.entries(found).filter(([, value]) => value !== undefined) as [string, string][],
  );
  return new Redirect(`${context.sentTo().publicPath}/console/login?${query}`);
};

/** A person reads the answer: a refusal leads to the page to sign in. */
const toPage = (context: RequestContext, next: string | undefined) => (error: unknown) => {
  if (!(error instanceof Refusal)) throw error;
  return loginPage(context, { refused: error.code, next });
};

const signInByOidc = route(
  {
    operationId: 'signInByOidc',
    method: 'get',
    path,
    summary: 'Go to the issuer of OpenID Connect to sign in',
    tag: 'Session',
    access: { audience: [], guardsAccounts: true },
    query: z.object({ next: z.string().optional() }),
    response: z.unknown(),
    secret: true,
  },
  async (context) => {
    const next = (context.query.next ?? '').length <= maxNextCharacters ? context.query.next : undefined;
    const { origin, publicPath } = context.sentTo();
    return beginOidcSignIn(context, `${origin}${publicPath}${path}/callback`, next).then(
      ({ address, kept }) => {
        context.addCookie(context.signInCookie().setCookie(kept));
        return new Redirect(address);
      },
      toPage(context, next),
    );
  },
);

const completeSignInByOidc = route(
  {
    operationId: 'completeSignInByOidc',
    method: 'get',
    path: `${path}/callback`,
    summary: 'Come back from the issuer, with a session',
    tag: 'Session',
    access: { audience: [], guardsAccounts: true },
    response: z.unknown(),
    secret: true,
  },
  async (context) => {
    const cookie = context.signInCookie();
    const begun = openBegunSignIn(context.deps, cookie.value);
    context.addCookie(cookie.clearCookie);
    const sent = { query: context.sentTo().query, begun };
    return completeOidcSignIn(context, sent, passwordLimits(context)).then(
      ({ token }) => {
        context.addCookie(context.sessionCookie().setCookie(token));
        return loginPage(context, { done: 'oidc', next: begun?.next });
      },
      toPage(context, begun?.next),
    );
  },
);

/** Pages for a browser, and no part of the interface: `/openapi.json` has neither. `spec 12.40` */
export const pagesOfSignIn = [signInByOidc, completeSignInByOidc];
