import type { z } from 'zod';
import type { CreateAdminUser } from '../../contracts/admin-users.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { isUniqueViolation } from '../../db/connection/failures.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { lockAsCaller } from './manageable-user.ts';
import type { PasswordLimits } from './password-limits.ts';
import { requireUncommonPassword } from './require-uncommon-password.ts';

/** An owner creates users of any role, an admin those of role user. */
export async function createAdminUser(
  context: ServiceContext,
  { email, display_name, password, role, metadata }: z.output<typeof CreateAdminUser>,
  limits: PasswordLimits,
): Promise<AdminUser> {
  const { deps, caller, newId } = context;
  requireUncommonPassword(deps, password, 'password');
  const password_hash = await limits.inTurn(() => deps.passwords.hash(password));
  const user_id = newId('admin_user');
  return deps.database
    .transaction(async (entities) => {
      const own = await lockAsCaller(entities, requireUser(caller));
      if (!mayManage(own.role, role)) throw refuse('role_insufficient');
      const fields = { user_id, email, display_name, role, password_hash, metadata: metadata ?? {} };
      const user = entities.create(AdminUser, fields);
      await entities.persist(user).flush();
      await writeAuditEntry(entities, context, {
        action: 'created_user',
        resource_type: 'admin_user',
        resource_id: user_id,
        details: { email, role },
      });
      return user;
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('email_registered') : error;
    });
}
