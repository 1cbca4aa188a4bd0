import { z } from 'zod';
import { ChangePassword } from '../../../contracts/admin-users.ts';
import { Message, Uuid } from '../../../contracts/fields.ts';
import { AdminSession } from '../../../db/entities/admin-session.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { writeAuditEntry } from '../../../db/queries/write-audit-entry.ts';
import { mayChangePasswordOfOthers } from '../../../domain/admin-roles.ts';
import { invalid, Refusal, refuse } from '../../../errors.ts';
import { type Caller, userOf } from '../../caller.ts';
import { limitOwnPassword, withPasswords } from '../../limit-logins.ts';
import { type RequestContext, route } from '../../route.ts';
import { lockAsCaller } from './manageable-user.ts';

const isOwnPath = (caller: Caller, userId: unknown): boolean =>
  userId === 'me' || String(userId).toLowerCase() === userOf(caller).userId;

type Changing = RequestContext<unknown, unknown, z.output<typeof ChangePassword>>;

interface Change {
  user_id: string;
  isOwn: boolean;
}

/** Checks the current password of a user's own change, and makes the change. */
async function change(context: Changing, { user_id, isOwn }: Change): Promise<void> {
  const { deps, body } = context;
  const caller = userOf(context.caller);
  const user = await deps.database.entities().findOne(AdminUser, { user_id });
  if (!user) throw refuse('user_not_found', user_id);
  // A logged-in user proves again that it is them, not somebody else at their desk.
  if (isOwn && !(await deps.passwords.matches(body.current_password ?? '', user.password_hash)))
    throw refuse('password_wrong');
  const password_hash = await deps.passwords.hash(body.new_password);
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

/** Ends the session of a user who has given too many wrong passwords: it may be somebody else who guesses. */
async function changeOwn(context: Changing, own: Change): Promise<void> {
  const { userId, sessionId } = userOf(context.caller);
  try {
    await limitOwnPassword(context, userId, () => change(context, own));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many_logins')
      await context.deps.database
        .entities()
        .nativeUpdate(AdminSession, { session_id: sessionId }, { is_revoked: true });
    throw error;
  }
}

export const changePassword = route(
  {
    method: 'post',
    path: '/api/admin-users/{user_id}/change-password',
    summary: 'Change a password',
    description:
      '`me` stands for the caller. Who changes their own password has to give `current_password`; only an owner changes that of another user. Ends the other sessions of the user. After ten wrong current passwords within 15 minutes the next attempt is refused, and ends the session.',
    tag: 'Admin users',
    auth: ['user'],
    mayUse: (caller, { user_id }) => isOwnPath(caller, user_id) || mayChangePasswordOfOthers(userOf(caller).role),
    params: z.object({ user_id: z.union([Uuid, z.literal('me')]) }),
    body: ChangePassword,
    response: Message,
    errors: ['role_insufficient', 'user_not_found', 'password_wrong', 'too_many_logins'],
  },
  async (context) => {
    const { params, body } = context;
    const caller = userOf(context.caller);
    const isOwn = isOwnPath(caller, params.user_id);
    if (isOwn && typeof body.current_password !== 'string')
      throw invalid(['body', 'current_password'], 'Field required', 'missing');
    if (isOwn) await changeOwn(context, { user_id: caller.userId, isOwn });
    else await withPasswords(context, () => change(context, { user_id: params.user_id, isOwn }));
    return { message: 'Password changed successfully' };
  },
);
