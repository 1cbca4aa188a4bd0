import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AcceptInvitation } from '../../contracts/invitations.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { isUniqueViolation } from '../../db/connection/failures.ts';
import { AdminInvitation } from '../../db/entities/admin-invitation.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { timeOfTransaction } from '../../db/sql/database-clock.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import { requireUncommonPassword } from '../admin-users/require-uncommon-password.ts';
import type { ServiceContext } from '../context.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import { requireInvitation } from './read-invitations.ts';

/** Makes the account of an invitation, once, and signs its user in. `spec 12.21` */
export async function acceptInvitation(
  context: ServiceContext,
  { token, display_name, password }: z.output<typeof AcceptInvitation>,
  limits: PasswordLimits,
): Promise<OpenedSession> {
  const { deps, newId, ip } = context;
  requireUncommonPassword(deps, password, 'password');
  // A link that does not work costs no hash.
  await requireInvitation(context, token, limits);
  const password_hash = await limits.inTurn(() => deps.passwords.hash(password));
  const user_id = newId('admin_user');
  return deps.database
    .transaction(async (entities) => {
      await lockChanges(entities, 'admin users');
      const { email, role, invited_by } = await takeInvitation(entities, deps.secrets.lookupHashes(token));
      const fields = { user_id, email, display_name, role, password_hash, last_login: new Date() };
      const user = entities.create(AdminUser, fields);
      await entities.persist(user).flush();
      const actor = { caller: { kind: 'user', userId: user_id }, ip } as const;
      await writeAuditEntry(entities, actor, {
        action: 'accepted_invitation',
        resource_type: 'admin_user',
        resource_id: user_id,
        details: { email, role, invited_by },
      });
      return openSession(entities, context, user, { kind: 'cookie', action: 'login' });
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('email_registered') : error;
    });
}

/** Call under the lock of accounts: the invitation, which is gone from now on, if its inviter may still make it. */
async function takeInvitation(entities: SqlEntityManager, tokenHashes: readonly Buffer[]): Promise<AdminInvitation> {
  const invitation = await entities.findOne(AdminInvitation, { token_hash: { $in: [...tokenHashes] } });
  if (!invitation || invitation.expires_at <= (await timeOfTransaction(entities))) throw refuse('invitation_invalid');
  const inviter = await entities.findOne(AdminUser, { user_id: invitation.invited_by, is_active: true });
  if (!inviter || !mayManage(inviter.role, invitation.role)) throw refuse('invitation_invalid');
  await entities.nativeDelete(AdminInvitation, { invitation_id: invitation.invitation_id });
  return invitation;
}
