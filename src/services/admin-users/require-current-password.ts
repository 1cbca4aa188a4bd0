import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import type { AdminUser } from '../../db/entities/admin-user.ts';
import { Refusal, refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import type { PasswordLimits } from './password-limits.ts';

/** What is audited when the password was wrong. */
type FailedAction = 'failed_password_change' | 'failed_second_factor_change';

/**
 * A logged-in user has to prove their identity again. Ends the session after too many wrong passwords, because another person may be
 * guessing the password.
 */
export async function requireCurrentPassword(
  context: ServiceContext,
  { user_id, password_hash }: AdminUser,
  current: string,
  limits: PasswordLimits,
  failedAction: FailedAction,
): Promise<void> {
  const { deps, caller } = context;
  if (password_hash === null) throw refuse('no_password');
  const { sessionId: session_id } = requireUser(caller);
  const compare = () => deps.passwords.matches(current, password_hash);
  const isRight = await limits.ofOwnPassword(user_id, compare).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'too_many_logins')
      await deps.database.entities().nativeUpdate(AdminSession, { session_id }, { is_revoked: true });
    throw error;
  });
  if (isRight) return;
  const failure = { action: failedAction, resource_type: 'admin_user', resource_id: user_id };
  await deps.database.transaction((entities) => writeAuditEntry(entities, context, failure));
  throw refuse('password_wrong');
}
