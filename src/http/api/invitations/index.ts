import { acceptInvitation } from './accept-invitation.ts';
import { inviteAdminUser } from './invite-admin-user.ts';
import { listInvitations } from './list-invitations.ts';
import { readInvitation } from './read-invitation.ts';
import { renewInvitation } from './renew-invitation.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

export const invitationRoutes = [
  listInvitations,
  inviteAdminUser,
  readInvitation,
  acceptInvitation,
  renewInvitation,
  withdrawInvitation,
];
