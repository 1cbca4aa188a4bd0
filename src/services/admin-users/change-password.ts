import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { mayChangePasswordOfOthers } from '../../domain/admin-roles.ts';
import { invalid, Refusal, refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { lockAsCaller } from './manageable-user.ts';
import type { PasswordLimits } from './password-limits.ts';
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
  if (isOwn)
    await requireCurrentPassword(context, user, current_password ?? '', limits).catch(auditFailure(context, user_id));
  const password_hash = await limits.inTurn(() => deps.passwords.hash(new_password));
  await deps.database.transaction(async (entities) => {
    const own = await lockAsCaller(entities, caller);
    if (!isOwn && !mayChangePasswordOfOthers(own.role)) throw refuse('role_insufficient');
    const before = isOwn ? { user_id, password_hash: user.password_hash } : { user_id };
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

/**
 * A logged-in user has to prove their identity again. Ends the session after too many wrong passwords, because another person may be
 * guessing the password.
 */
async function requireCurrentPassword(
  { deps, caller }: ServiceContext,
  { user_id, password_hash }: AdminUser,
  current: string,
  limits: PasswordLimits,
): Promise<void> {
  const { sessionId: session_id } = requireUser(caller);
  const compare = () => deps.passwords.matches(current, password_hash);
  const isRight = await limits.ofOwnPassword(user_id, compare).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'too_many_logins')
      await deps.database.entities().nativeUpdate(AdminSession, { session_id }, { is_revoked: true });
    throw error;
  });
  if (!isRight) throw refuse('password_wrong');
}

/** Audits, as a `catch`, a password that was not changed because the current one was wrong, and throws the error on. */
const auditFailure =
  (context: ServiceContext, userId: string) =>
  async (error: unknown): Promise<never> => {
    const change = { action: 'failed_password_change', resource_type: 'admin_user', resource_id: userId };
    if (error instanceof Refusal && error.code === 'password_wrong')
      await context.deps.database.transaction((entities) => writeAuditEntry(entities, context, change));
    throw error;
  };
