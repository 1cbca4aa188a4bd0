import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { lockAsCaller, requireAnotherOwner, requireManageableUser } from './manageable-user.ts';

/** Deletes a user with their sessions, and returns who it was. The entries of the user in the audit log remain. */
export async function deleteAdminUser(context: ServiceContext, userId: string): Promise<AdminUser> {
  const caller = requireUser(context.caller);
  if (caller.userId === userId) throw refuse('cannot_delete_self');
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, caller);
    const user = await requireManageableUser(entities, own, userId);
    // Two owners may delete each other at the same moment: the second one is refused.
    if (user.role === 'owner' && user.is_active) await requireAnotherOwner(entities, user);
    await entities.nativeDelete(AdminUser, { user_id: user.user_id });
    await writeAuditEntry(entities, context, {
      action: 'deleted_user',
      resource_type: 'admin_user',
      resource_id: user.user_id,
      details: { email: user.email, role: user.role },
    });
    return user;
  });
}
