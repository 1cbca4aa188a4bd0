import { lockAsCaller } from '../admin-users/manageable-user.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import {
  auditInvitation,
  type InvitationLink,
  newLink,
  requireFreeEmail,
  requireManageableInvitation,
} from './invitation-link.ts';

/** Makes a new link of an invitation; the link before ends. The caller is its inviter from now on. */
export function renewInvitation(context: ServiceContext, invitationId: string): Promise<InvitationLink> {
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, requireUser(context.caller));
    const invitation = await requireManageableInvitation(entities, own, invitationId);
    await requireFreeEmail(entities, invitation.email);
    const { token, fields } = await newLink(entities, context, own);
    entities.assign(invitation, fields);
    await entities.flush();
    await auditInvitation(entities, context, 'renewed_invitation', invitation);
    return { invitation, invitedByName: own.display_name, token };
  });
}
