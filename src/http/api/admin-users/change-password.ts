import { z } from 'zod';
import { ChangePassword } from '../../../contracts/admin-users.ts';
import { Message, Uuid } from '../../../contracts/fields.ts';
import { mayChangePasswordOfOthers } from '../../../domain/admin-roles.ts';
import { changePassword as change } from '../../../services/admin-users/change-password.ts';
import { type Caller, requireUser } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { passwordLimits } from './request-password-limits.ts';

const isOwnPath = (caller: Caller, userId: unknown): boolean =>
  userId === 'me' || String(userId).toLowerCase() === requireUser(caller).userId;

export const changePassword = route(
  {
    operationId: 'changePassword',
    method: 'post',
    path: '/api/admin-users/{user_id}/change-password',
    summary: 'Change a password',
    description:
      '`me` stands for the caller. Who changes their own password has to give `current_password`; only an owner changes that of another user. Ends the other sessions of the user. After ten wrong current passwords within 15 minutes the next attempt is refused, and ends the session.',
    tag: 'Admin users',
    access: {
      audience: ['user'],
      mayUse: (caller, { user_id }) =>
        isOwnPath(caller, user_id) || mayChangePasswordOfOthers(requireUser(caller).role),
      guardsAccounts: true,
    },
    idempotent: false,
    params: z.object({
      user_id: z.union([Uuid, z.literal('me')]).describe('Id of the admin user, or `me` for the caller'),
    }),
    body: {
      schema: ChangePassword.meta({
        example: { current_password: 'quiet harbor lantern nineteen', new_password: 'nine purple teapots humming' },
      }),
    },
    response: Message.meta({ example: { message: 'Password changed successfully' } }),
    errors: ['role_insufficient', 'user_not_found', 'password_wrong', 'no_password', 'too_many_logins'],
  },
  async (context) => {
    const { caller, params, body } = context;
    const user_id = isOwnPath(caller, params.user_id) ? requireUser(caller).userId : params.user_id;
    await change(context, { user_id, ...body }, passwordLimits(context));
    return { message: 'Password changed successfully' };
  },
);
