import type { z } from 'zod';
import type { UpdateAdminUser } from '../../contracts/admin-users.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import type { AdminUser } from '../../db/entities/admin-user.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { endUnmanageableInvitations } from '../invitations/invitation-link.ts';
import { lockAsCaller, requireAnotherOwner, requireManageableUser } from './manageable-user.ts';

const isActiveOwner = ({ role, is_active }: Pick<AdminUser, 'role' | 'is_active'>) => role === 'owner' && is_active;

/** Replaces the named fields. Deactivation ends the sessions of the user, and a lost right the invitations that needed it. */
export function updateAdminUser(
  context: ServiceContext,
  user_id: string,
  update: z.output<typeof UpdateAdminUser>,
): Promise<AdminUser> {
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, requireUser(context.caller));
    if (update.role && !mayManage(own.role, update.role)) throw refuse('role_insufficient');
    const user = await requireManageableUser(entities, own, user_id);
    const after = {
      display_name: update.display_name ?? user.display_name,
      role: update.role ?? user.role,
      is_active: update.is_active ?? user.is_active,
      metadata: update.metadata ?? user.metadata,
    };
    if (isActiveOwner(user) && !isActiveOwner(after)) await requireAnotherOwner(entities, user);
    entities.assign(user, after, { mergeObjectProperties: false });
    await entities.flush();
    if (!user.is_active) await entities.nativeUpdate(AdminSession, { user_id: user.user_id }, { is_revoked: true });
    await endUnmanageableInvitations(entities, user);
    await writeAuditEntry(entities, context, {
      action: 'updated_user',
      resource_type: 'admin_user',
      resource_id: user.user_id,
      details: { email: user.email, role: user.role, is_active: user.is_active, changed: Object.keys(update) },
    });
    return user;
  });
}
