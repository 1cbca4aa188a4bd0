import type { z } from 'zod';
import type { InviteAdminUser } from '../../contracts/invitations.ts';
import { AdminInvitation } from '../../db/entities/admin-invitation.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import { lockAsCaller } from '../admin-users/manageable-user.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { auditInvitation, type InvitationLink, newLink, requireFreeEmail } from './invitation-link.ts';

/** So that a list of them is one answer. */
const maxInvitations = 100;

/** An owner invites users of any role, an admin those of role user. `spec 12.20` */
export function inviteAdminUser(
  context: ServiceContext,
  { email, role }: z.output<typeof InviteAdminUser>,
): Promise<InvitationLink> {
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, requireUser(context.caller));
    if (!mayManage(own.role, role)) throw refuse('role_insufficient');
    await requireFreeEmail(entities, email);
    if ((await entities.count(AdminInvitation, { email })) > 0) throw refuse('email_invited', email);
    if ((await entities.count(AdminInvitation)) >= maxInvitations)
      throw refuse('invitations_at_most', String(maxInvitations));
    const { token, fields } = await newLink(entities, context, own);
    const invitation = entities.create(AdminInvitation, {
      ...fields,
      invitation_id: context.newId('invitation'),
      email,
      role,
    });
    await entities.persist(invitation).flush();
    await auditInvitation(entities, context, 'invited_user', invitation);
    return { invitation, invitedByName: own.display_name, token };
  });
}
