import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { invitationSeconds, newInvitationToken } from '../../auth/invitation-token.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminInvitation, type AdminInvitation as Entity } from '../../db/entities/admin-invitation.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { timeOfTransaction } from '../../db/sql/database-clock.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** An invitation with the secret of its link, which nothing else shows. */
export interface InvitationLink {
  invitation: Entity;
  invitedByName: string;
  token: string;
}

/** A new secret, and what is stored of it: whoever makes it is the inviter, and its time begins. */
export async function newLink(entities: SqlEntityManager, { deps }: ServiceContext, inviter: AdminUser) {
  const token = newInvitationToken();
  const created_at = await timeOfTransaction(entities);
  const expires_at = new Date(created_at.getTime() + invitationSeconds * 1_000);
  const fields = {
    invited_by: inviter.user_id,
    token_hash: deps.secrets.lookupHash(token),
    created_at,
    expires_at,
  };
  return { token, fields };
}

/** Call under the lock of accounts: the invitation that `own` is about to renew or withdraw, or throws 404 or 403. */
export async function requireManageableInvitation(
  entities: SqlEntityManager,
  own: AdminUser,
  invitation_id: string,
): Promise<Entity> {
  const invitation = await entities.findOne(AdminInvitation, { invitation_id });
  if (!invitation) throw refuse('invitation_not_found', invitation_id);
  if (!mayManage(own.role, invitation.role)) throw refuse('role_insufficient');
  return invitation;
}

/** An e-mail that an account has: the unique index would refuse it only when the invitation is accepted. */
export async function requireFreeEmail(entities: SqlEntityManager, email: string): Promise<void> {
  if ((await entities.count(AdminUser, { email })) > 0) throw refuse('email_registered');
}

/**
 * Call under the lock of accounts, when the inviter was demoted or deactivated: ends the invitations that they may not make any more.
 * Those of a deleted account end with it.
 */
export async function endUnmanageableInvitations(entities: SqlEntityManager, inviter: AdminUser): Promise<void> {
  const made = await entities.find(AdminInvitation, { invited_by: inviter.user_id });
  const ended = made.filter(({ role }) => !inviter.is_active || !mayManage(inviter.role, role));
  const ids = ended.map(({ invitation_id }) => invitation_id);
  if (ids.length > 0) await entities.nativeDelete(AdminInvitation, { invitation_id: { $in: ids } });
}

export const auditInvitation = (
  entities: SqlEntityManager,
  context: ServiceContext,
  action: 'invited_user' | 'renewed_invitation' | 'withdrew_invitation',
  { invitation_id, email, role }: Entity,
): Promise<void> =>
  writeAuditEntry(entities, context, {
    action,
    resource_type: 'invitation',
    resource_id: invitation_id,
    details: { email, role },
  });
