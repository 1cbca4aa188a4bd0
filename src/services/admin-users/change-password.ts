import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { mayChangePasswordOfOthers } from '../../domain/admin-roles.ts';
import { invalid, refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { lockAsCaller } from './manageable-user.ts';
import type { PasswordLimits } from './password-limits.ts';
import { requireCurrentPassword } from './require-current-password.ts';
import { requireUncommonPassword } from './require-uncommon-password.ts';

interface PasswordChange {
  user_id: string;
  /** A change of the own password needs it; one of another user's ignores it. */
  current_password?: string | null | undefined;
  new_password: string;
}

/**
 * Who changes their own password has to give the current one; only an owner changes that of another user. Ends the other sessions of
 * the user.
 */
export async function changePassword(
  context: ServiceContext,
  { user_id, current_password, new_password }: PasswordChange,
  limits: PasswordLimits,
): Promise<void> {
  const { deps } = context;
  const caller = requireUser(context.caller);
  const isOwn = user_id === caller.userId;
  if (isOwn && typeof current_password !== 'string')
    throw invalid(['body', 'current_password'], 'Field required', 'missing');
  requireUncommonPassword(deps, new_password, 'new_password');
  const user = await deps.database.entities().findOne(AdminUser, { user_id });
  if (!user) throw refuse('user_not_found', user_id);
  if (user.password_hash === null) throw refuse('no_password');
  if (isOwn) await requireCurrentPassword(context, user, current_password ?? '', limits, 'failed_password_change');
  const password_hash = await limits.inTurn(() => deps.passwords.hash(new_password));
  await deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, caller);
    if (!isOwn && !mayChangePasswordOfOthers(own.role)) throw refuse('role_insufficient');
    const before = isOwn
      ? { user_id, password_hash: user.password_hash }
      : { user_id, signs_in_by: 'password' as const };
    const changed = await entities.nativeUpdate(AdminUser, before, { password_hash });
    // When a user changes their password twice at once, the current password of the second change is no longer right.
    if (changed === 0) throw isOwn ? refuse('password_wrong') : refuse('user_not_found', user_id);
    const others = { user_id, session_id: { $ne: caller.sessionId } };
    await entities.nativeUpdate(AdminSession, others, { is_revoked: true });
    await writeAuditEntry(entities, context, {
      action: 'changed_password',
      resource_type: 'admin_user',
      resource_id: user_id,
      details: { email: user.email },
    });
  });
}
