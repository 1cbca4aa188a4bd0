import { AcceptInvitation } from '../../../contracts/invitations.ts';
import { Session } from '../../../contracts/sessions.ts';
import { refuse } from '../../../errors.ts';
import { acceptInvitation as accept } from '../../../services/invitations/accept-invitation.ts';
import { route } from '../../route.ts';
import { passwordLimits } from '../admin-users/request-password-limits.ts';
import { serializeSession } from '../sessions/serialize-session.ts';

export const acceptInvitation = route(
  {
    operationId: 'acceptInvitation',
    method: 'post',
    path: '/api/admin-users/invitations/accept',
    summary: 'Accept an invitation: create the account, and sign in to the console',
    description:
      'Works once. The right of who has invited is checked again. The answer sets the cookie of a session, as a sign-in does.',
    tag: 'Session',
    idempotent: false,
    access: { audience: [], guardsAccounts: true },
    body: { schema: AcceptInvitation.meta({ example: { display_name: 'Alan Turing' } }) },
    response: Session,
    responseHeaders: ['Set-Cookie'],
    errors: ['invitation_invalid', 'email_registered', 'cross_site_request', 'too_many_logins'],
    secret: true,
  },
  async (context) => {
    const cookie = context.sessionCookie();
    // Another page could make the browser act in a session of its author.
    if (cookie.isFromOtherOrigin) throw refuse('cross_site_request');
    const { token, user, expiresAt } = await accept(context, context.body, passwordLimits(context));
    context.setHeader('Set-Cookie', cookie.setCookie(token));
    return serializeSession({ kind: 'user', user, expiresAt }, context.deps.config);
  },
);
