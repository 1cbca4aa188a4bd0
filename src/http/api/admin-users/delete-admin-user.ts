import { AdminUserParams } from '../../../contracts/admin-users.ts';
import { Message } from '../../../contracts/fields.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { refuse } from '../../../errors.ts';
import { userOf } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { lockAsCaller, manageableUser, requireAnotherOwner } from './support/manageable-user.ts';

export const deleteAdminUser = route(
  {
    method: 'delete',
    path: '/api/admin-users/{user_id}',
    summary: 'Delete an admin user',
    description:
      'Ends the sessions of the user. The entries of the user in the audit log remain; the e-mail can be used again.',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    params: AdminUserParams,
    response: Message,
    errors: ['cannot_delete_self', 'role_insufficient', 'user_not_found', 'last_owner'],
    example: { response: { message: 'User alan@example.com deleted successfully' } },
  },
  async (context) => {
    const { deps, params } = context;
    const caller = userOf(context.caller);
    if (caller.userId === params.user_id) throw refuse('cannot_delete_self');
    return deps.database.transaction(async (entities) => {
      const own = await lockAsCaller(entities, caller);
      const user = await manageableUser(entities, own, params.user_id);
      // Two owners may delete each other at the same moment: the second one is refused.
      if (user.role === 'owner' && user.is_active) await requireAnotherOwner(entities, user);
      await entities.nativeDelete(AdminUser, { user_id: user.user_id });
      await writeAuditEntry(entities, context, {
        action: 'deleted_user',
        resource_type: 'admin_user',
        resource_id: user.user_id,
        details: { email: user.email, role: user.role },
      });
      return { message: `User ${user.email} deleted successfully` };
    });
  },
);
