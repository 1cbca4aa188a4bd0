import { InvitationWithLink, InviteAdminUser } from '../../../contracts/invitations.ts';
import { inviteAdminUser as invite } from '../../../services/invitations/invite-admin-user.ts';
import { route } from '../../route.ts';
import { serializeLink } from './serialize-invitation.ts';

export const inviteAdminUser = route(
  {
    operationId: 'inviteAdminUser',
    method: 'post',
    path: '/api/admin-users/invitations',
    summary: 'Invite somebody to become an admin user',
    description:
      'The answer has a link, which works once, for seven days. The service sends no mail: who invites passes the link on. An owner ' +
      'invites users of any role, an admin those of role user. The link ends when who has made it may not invite any more.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['admin_user'] },
    secret: true,
    body: { schema: InviteAdminUser.meta({ example: { email: 'alan@example.com', role: 'admin' } }) },
    response: InvitationWithLink.meta({ example: { role: 'admin' } }),
    errors: ['role_insufficient', 'email_registered', 'email_invited', 'invitations_at_most'],
  },
  async (context) => serializeLink(await invite(context, context.body)),
);
