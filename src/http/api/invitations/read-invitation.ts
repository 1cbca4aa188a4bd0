import { OpenInvitation, ReadInvitation } from '../../../contracts/invitations.ts';
import { requireInvitation } from '../../../services/invitations/read-invitations.ts';
import { route } from '../../route.ts';
import { passwordLimits } from '../admin-users/request-password-limits.ts';
import { serializeOpenInvitation } from './serialize-invitation.ts';

export const readInvitation = route(
  {
    operationId: 'readInvitation',
    method: 'post',
    path: '/api/admin-users/invitations/read',
    summary: 'Read the invitation of a link',
    description: 'For whom was given the link. A POST, because a token in an address would be in logs.',
    tag: 'Session',
    idempotent: false,
    access: { audience: [], guardsAccounts: true },
    body: { schema: ReadInvitation },
    response: OpenInvitation,
    errors: ['invitation_invalid', 'too_many_logins'],
    secret: true,
  },
  async (context) =>
    serializeOpenInvitation(await requireInvitation(context, context.body.token, passwordLimits(context))),
);
