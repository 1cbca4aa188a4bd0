import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import type { UserCaller } from '../caller.ts';

/**
 * The caller as they are now, with all changes of accounts locked until the transaction ends. A caller who was deactivated or
 * demoted, or whose session has ended, while waiting has lost the right to change accounts.
 */
export async function lockAsCaller(entities: SqlEntityManager, caller: UserCaller): Promise<AdminUser> {
  await lockChanges(entities, 'admin users');
  const own = await entities.findOne(AdminUser, { user_id: caller.userId, is_active: true });
  const isOpen = await entities.count(AdminSession, { session_id: caller.sessionId, is_revoked: false });
  if (!own || isOpen === 0) throw refuse('session_invalid');
  return own;
}

/** Call under the lock: returns the account that `own` is about to change or delete, or throws 404 or 403. */
export async function requireManageableUser(
  entities: SqlEntityManager,
  own: AdminUser,
  user_id: string,
): Promise<AdminUser> {
  const user = await entities.findOne(AdminUser, { user_id });
  if (!user) throw refuse('user_not_found', user_id);
  if (!mayManage(own.role, user.role)) throw refuse('role_insufficient');
  return user;
}

/** Call under the lock, before `leaving` stops being an active owner. `spec 12.7` */
export async function requireAnotherOwner(entities: SqlEntityManager, leaving: AdminUser): Promise<void> {
  const others = { role: 'owner', is_active: true, user_id: { $ne: leaving.user_id } } as const;
  if ((await entities.count(AdminUser, others)) === 0) throw refuse('last_owner');
}
