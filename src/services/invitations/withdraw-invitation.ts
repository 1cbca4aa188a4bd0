import type { AdminInvitation } from '../../db/entities/admin-invitation.ts';
import { lockAsCaller } from '../admin-users/manageable-user.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { auditInvitation, requireManageableInvitation } from './invitation-link.ts';

/** Ends an invitation, and returns which it was. */
export function withdrawInvitation(context: ServiceContext, invitationId: string): Promise<AdminInvitation> {
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, requireUser(context.caller));
    const invitation = await requireManageableInvitation(entities, own, invitationId);
    await entities.remove(invitation).flush();
    await auditInvitation(entities, context, 'withdrew_invitation', invitation);
    return invitation;
  });
}
