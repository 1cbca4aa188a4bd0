import { InvitationParams, InvitationWithLink } from '../../../contracts/invitations.ts';
import { renewInvitation as renew } from '../../../services/invitations/renew-invitation.ts';
import { route } from '../../route.ts';
import { serializeLink } from './serialize-invitation.ts';

export const renewInvitation = route(
  {
    operationId: 'renewInvitation',
    method: 'post',
    path: '/api/admin-users/invitations/{invitation_id}/renew',
    summary: 'Make a new link of an invitation',
    description: 'The link before ends at once. The caller is the one who invites from now on.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['admin_user'] },
    secret: true,
    params: InvitationParams,
    response: InvitationWithLink,
    errors: ['role_insufficient', 'invitation_not_found', 'email_registered'],
  },
  async (context) => serializeLink(await renew(context, context.params.invitation_id)),
);
