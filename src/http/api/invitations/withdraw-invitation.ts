import { Message } from '../../../contracts/fields.ts';
import { InvitationParams } from '../../../contracts/invitations.ts';
import { withdrawInvitation as withdraw } from '../../../services/invitations/withdraw-invitation.ts';
import { route } from '../../route.ts';

export const withdrawInvitation = route(
  {
    operationId: 'withdrawInvitation',
    method: 'delete',
    path: '/api/admin-users/invitations/{invitation_id}',
    summary: 'Withdraw an invitation',
    description: 'Its link ends at once.',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    params: InvitationParams,
    response: Message.meta({ example: { message: 'Invitation of alan@example.com withdrawn successfully' } }),
    errors: ['role_insufficient', 'invitation_not_found'],
  },
  async (context) => {
    const { email } = await withdraw(context, context.params.invitation_id);
    return { message: `Invitation of ${email} withdrawn successfully` };
  },
);
