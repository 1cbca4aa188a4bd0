import { z } from 'zod';
import { ChangePassword } from '../../../contracts/admin-users.ts';
import { Message, Uuid } from '../../../contracts/fields.ts';
import { AdminSession } from '../../../db/entities/admin-session.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { writeAuditEntry } from '../../../db/queries/write-audit-entry.ts';
import type { Deps } from '../../../deps.ts';
import { mayChangePasswordOfOthers } from '../../../domain/admin-roles.ts';
import { invalid, refuse } from '../../../errors.ts';
import { type Caller, userOf } from '../../caller.ts';
import { route } from '../../route.ts';
import { failedPasswordChange } from './audit-failure.ts';

const isOwnPath = (caller: Caller, userId: unknown): boolean =>
  userId === 'me' || String(userId).toLowerCase() === userOf(caller).userId;

/** A logged-in user has to prove again that it is them, not somebody else at their desk. */
async function requireCurrentPassword(deps: Deps, user: AdminUser, given: string | null | undefined): Promise<void> {
  if (!(await deps.passwords.matches(given ?? '', user.password_hash))) throw refuse('password_wrong');
}

export const changePassword = route(
  {
    method: 'post',
    path: '/api/admin-users/{user_id}/change-password',
    summary: 'Change a password',
    description:
      '`me` stands for the caller. Who changes their own password has to give `current_password`; only an owner changes that of another user. Ends the other sessions of the user.',
    tag: 'Admin users',
    auth: ['user'],
    mayUse: (caller, { user_id }) => isOwnPath(caller, user_id) || mayChangePasswordOfOthers(userOf(caller).role),
    params: z.object({ user_id: z.union([Uuid, z.literal('me')]) }),
    body: ChangePassword,
    response: Message,
    errors: ['role_insufficient', 'user_not_found', 'password_wrong'],
  },
  async (context) => {
    const { deps, params, body } = context;
    const caller = userOf(context.caller);
    const isOwn = isOwnPath(caller, params.user_id);
    const user_id = isOwn ? caller.userId : params.user_id;
    if (isOwn && typeof body.current_password !== 'string')
      throw invalid(['body', 'current_password'], 'Field required', 'missing');
    const user = await deps.database.entities().findOne(AdminUser, { user_id });
    if (!user) throw refuse('user_not_found', user_id);
    if (isOwn)
      await requireCurrentPassword(deps, user, body.current_password).catch(failedPasswordChange(context, user_id));
    const password_hash = await deps.passwords.hash(body.new_password);
    await deps.database.transaction(async (entities) => {
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
    return { message: 'Password changed successfully' };
  },
);
