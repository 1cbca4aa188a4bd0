import { z } from 'zod';
import { ChangePassword } from '../../../contracts/admin-users.ts';
import { Message, Uuid } from '../../../contracts/fields.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { AdminSession } from '../../../db/entities/admin-session.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { mayChangePasswordOfOthers } from '../../../domain/admin-roles.ts';
import { invalid, Refusal, refuse } from '../../../errors.ts';
import { type Caller, userOf } from '../../../services/caller.ts';
import { limitOwnPassword, withPasswords } from '../../limits/limit-logins.ts';
import { type RequestContext, route } from '../../route.ts';
import { lockAsCaller } from './support/manageable-user.ts';
import { requireUncommonPassword } from './support/require-uncommon-password.ts';

const isOwnPath = (caller: Caller, userId: unknown): boolean =>
  userId === 'me' || String(userId).toLowerCase() === userOf(caller).userId;

type Changing = RequestContext<unknown, unknown, z.output<typeof ChangePassword>>;

interface Change {
  user_id: string;
  isOwn: boolean;
}

/**
 * A logged-in user has to prove their identity again. Ends the session after too many wrong passwords, because another person may be
 * guessing the password.
 */
async function requireCurrentPassword(context: Changing, { user_id, password_hash }: AdminUser): Promise<void> {
  const { deps, body } = context;
  const { sessionId: session_id } = userOf(context.caller);
  const compare = () => deps.passwords.matches(body.current_password ?? '', password_hash);
  const isRight = await limitOwnPassword(context, user_id, compare).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'too_many_logins')
      await deps.database.entities().nativeUpdate(AdminSession, { session_id }, { is_revoked: true });
    throw error;
  });
  if (!isRight) throw refuse('password_wrong');
}

/** For `catch`: audits a password that was not changed because the current one was wrong, and throws the error on. */
const auditFailure =
  (context: RequestContext, userId: string) =>
  async (error: unknown): Promise<never> => {
    const change = { action: 'failed_password_change', resource_type: 'admin_user', resource_id: userId };
    if (error instanceof Refusal && error.code === 'password_wrong')
      await context.deps.database.transaction((entities) => writeAuditEntry(entities, context, change));
    throw error;
  };

async function change(context: Changing, { user_id, isOwn }: Change): Promise<void> {
  const { deps, body } = context;
  const caller = userOf(context.caller);
  const user = await deps.database.entities().findOne(AdminUser, { user_id });
  if (!user) throw refuse('user_not_found', user_id);
  if (isOwn) await requireCurrentPassword(context, user).catch(auditFailure(context, user_id));
  const password_hash = await withPasswords(context, () => deps.passwords.hash(body.new_password));
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

export const changePassword = route(
  {
    method: 'post',
    path: '/api/admin-users/{user_id}/change-password',
    summary: 'Change a password',
    description:
      '`me` stands for the caller. Who changes their own password has to give `current_password`; only an owner changes that of another user. Ends the other sessions of the user. After ten wrong current passwords within 15 minutes the next attempt is refused, and ends the session.',
    tag: 'Admin users',
    access: {
      audience: ['user'],
      mayUse: (caller, { user_id }) => isOwnPath(caller, user_id) || mayChangePasswordOfOthers(userOf(caller).role),
      guardsAccounts: true,
    },
    idempotent: false,
    params: z.object({
      user_id: z.union([Uuid, z.literal('me')]).describe('Id of the admin user, or `me` for the caller'),
    }),
    body: { schema: ChangePassword },
    response: Message,
    errors: ['role_insufficient', 'user_not_found', 'password_wrong', 'too_many_logins'],
    example: {
      body: { current_password: 'quiet harbor lantern nineteen', new_password: 'nine purple teapots humming' },
      response: { message: 'Password changed successfully' },
    },
  },
  async (context) => {
    const { params, body } = context;
    const caller = userOf(context.caller);
    const isOwn = isOwnPath(caller, params.user_id);
    if (isOwn && typeof body.current_password !== 'string')
      throw invalid(['body', 'current_password'], 'Field required', 'missing');
    requireUncommonPassword(context.deps, body.new_password, 'new_password');
    await change(context, { user_id: isOwn ? caller.userId : params.user_id, isOwn });
    return { message: 'Password changed successfully' };
  },
);
