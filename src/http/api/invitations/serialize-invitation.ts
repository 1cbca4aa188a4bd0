import type { Invitation, InvitationWithLink, OpenInvitation } from '../../../contracts/invitations.ts';
import type { InvitationRow } from '../../../db/admin-users/list-invitations.ts';
import type { InvitationLink } from '../../../services/invitations/invitation-link.ts';

export const serializeInvitation = (invitation: Omit<InvitationRow, 'inviter_role'>): Invitation => ({
  invitation_id: invitation.invitation_id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invited_by,
  invited_by_name: invitation.invited_by_name,
  created_at: invitation.created_at.toISOString(),
  expires_at: invitation.expires_at.toISOString(),
  is_open: invitation.is_open,
});

/** What is after `#` in an address is sent to no service, so that it is in no log: decision 130. */
export const serializeLink = ({ invitation, invitedByName, token }: InvitationLink): InvitationWithLink => ({
  ...serializeInvitation({
    ...invitation,
    invited_by_name: invitedByName,
    is_open: true,
  }),
  token,
  path: `/console/invitation#${token}`,
});

export const serializeOpenInvitation = ({
  email,
  role,
  invited_by_name,
  expires_at,
}: InvitationRow): OpenInvitation => ({
  email,
  role,
  invited_by_name,
  expires_at: expires_at.toISOString(),
});
