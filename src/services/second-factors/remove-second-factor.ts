import { removeSecondFactor } from '../../db/admin-users/second-factor.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import type { AdminUser } from '../../db/entities/admin-user.ts';
import { refuse } from '../../errors.ts';
import { lockAsCaller, requireManageableUser } from '../admin-users/manageable-user.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import { getOwnUser } from '../admin-users/read-admin-users.ts';
import { requireCurrentPassword } from '../admin-users/require-current-password.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { useCode } from './use-code.ts';

/** Switches the caller's own second factor off, with the password and a code. */
export async function disableSecondFactor(
  context: ServiceContext,
  { current_password, code }: { current_password: string; code: string },
  limits: PasswordLimits,
): Promise<void> {
  const user = await getOwnUser(context);
  const { user_id, email } = user;
  if (!user.second_factor_at) throw refuse('second_factor_off');
  await requireCurrentPassword(context, user, current_password, limits, 'failed_second_factor_change');
  const isRight = await limits.ofSecondFactor({ email, userId: user_id }, () => useCode(context, user_id, code));
  await context.deps.database.transaction(async (entities) => {
    const action = isRight ? 'disabled_second_factor' : 'failed_second_factor_change';
    if (isRight) {
      await lockAsCaller(entities, requireUser(context.caller));
      await removeSecondFactor(entities, user_id);
    }
    await writeAuditEntry(entities, context, { action, resource_type: 'admin_user', resource_id: user_id });
  });
  if (!isRight) throw refuse('code_wrong');
}

/** Takes the second factor of another user away, who has lost it. Ends the sessions of the user. */
export async function resetSecondFactor(context: ServiceContext, user_id: string): Promise<AdminUser> {
  const caller = requireUser(context.caller);
  if (user_id === caller.userId) throw refuse('second_factor_own');
  return context.deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, caller);
    const user = await requireManageableUser(entities, own, user_id);
    if (!user.second_factor_at) throw refuse('second_factor_off');
    await removeSecondFactor(entities, user_id);
    await entities.nativeUpdate(AdminSession, { user_id }, { is_revoked: true });
    await writeAuditEntry(entities, context, {
      action: 'reset_second_factor',
      resource_type: 'admin_user',
      resource_id: user_id,
      details: { email: user.email },
    });
    return user;
  });
}
