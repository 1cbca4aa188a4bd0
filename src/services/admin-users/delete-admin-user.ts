import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { insertFormerUser } from '../../db/admin-users/insert-former-user.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { lockAsCaller, requireAnotherOwner, requireManageableUser } from './manageable-user.ts';

/** Deletes another user, and returns who it was. */
export async function deleteAdminUser(context: ServiceContext, userId: string): Promise<AdminUser> {
  const caller = requireUser(context.caller);
  if (caller.userId === userId) throw refuse('cannot_delete_self');
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, caller);
    const user = await requireManageableUser(entities, own, userId);
    await deleteAccount(entities, context, user, 'deleted_user');
    return user;
  });
}

/** The caller deletes their own account. */
export async function deleteOwnAccount(context: ServiceContext): Promise<void> {
  await context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, requireUser(context.caller));
    await deleteAccount(entities, context, own, 'deleted_own_account');
  });
}

/**
 * Call under the lock of accounts. Sessions and open invitations end with the account. What the user has done stays in the audit log,
 * with their name.
 */
async function deleteAccount(
  entities: SqlEntityManager,
  context: ServiceContext,
  user: AdminUser,
  action: 'deleted_user' | 'deleted_own_account',
): Promise<void> {
  // Two owners may leave, or delete each other, at the same moment: the second one is refused.
  if (user.role === 'owner' && user.is_active) await requireAnotherOwner(entities, user);
  await insertFormerUser(entities, user);
  await entities.nativeDelete(AdminUser, { user_id: user.user_id });
  await writeAuditEntry(entities, context, {
    action,
    resource_type: 'admin_user',
    resource_id: user.user_id,
    details: { email: user.email, role: user.role },
  });
}
