import {
  AdminUserParams,
  ConfirmSecondFactor,
  DisableSecondFactor,
  RecoveryCodes,
  StartedSecondFactor,
  StartSecondFactor,
} from '../../../contracts/admin-users.ts';
import { Message } from '../../../contracts/fields.ts';
import { confirmSecondFactor as confirm } from '../../../services/second-factors/confirm-second-factor.ts';
import {
  disableSecondFactor as disable,
  resetSecondFactor as reset,
} from '../../../services/second-factors/remove-second-factor.ts';
import { startSecondFactor as start } from '../../../services/second-factors/start-second-factor.ts';
import { route } from '../../route.ts';
import { passwordLimits } from './request-password-limits.ts';

export const startSecondFactor = route(
  {
    operationId: 'startSecondFactor',
    method: 'post',
    path: '/api/admin-users/me/second-factor',
    summary: "Make a secret for the caller's second factor",
    description:
      'The secret of an authenticator (TOTP, RFC 6238), shown once. Logins need a code only after `confirm`. A repetition replaces a secret that was not confirmed.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['user'], guardsAccounts: true },
    body: { schema: StartSecondFactor },
    response: StartedSecondFactor,
    errors: ['password_wrong', 'no_password', 'second_factor_on', 'too_many_logins'],
    secret: true,
  },
  async (context) => start(context, context.body.current_password, passwordLimits(context)),
);

export const confirmSecondFactor = route(
  {
    operationId: 'confirmSecondFactor',
    method: 'post',
    path: '/api/admin-users/me/second-factor/confirm',
    summary: "Switch the caller's second factor on",
    description:
      'With the first code of the authenticator. The answer shows ten recovery codes once. Ends the other sessions of the user.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['user'], guardsAccounts: true },
    body: { schema: ConfirmSecondFactor },
    response: RecoveryCodes,
    errors: ['code_wrong', 'second_factor_on', 'second_factor_not_started'],
    secret: true,
  },
  async (context) => ({ recovery_codes: await confirm(context, context.body.code) }),
);

export const disableSecondFactor = route(
  {
    operationId: 'disableSecondFactor',
    method: 'post',
    path: '/api/admin-users/me/second-factor/disable',
    summary: "Switch the caller's second factor off",
    description: 'With the password and a code, or a recovery code.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['user'], guardsAccounts: true },
    body: { schema: DisableSecondFactor },
    response: Message.meta({ example: { message: 'Second factor switched off successfully' } }),
    errors: ['password_wrong', 'no_password', 'code_wrong', 'second_factor_off', 'too_many_logins'],
  },
  async (context) => {
    await disable(context, context.body, passwordLimits(context));
    return { message: 'Second factor switched off successfully' };
  },
);

export const resetSecondFactor = route(
  {
    operationId: 'resetSecondFactor',
    method: 'delete',
    path: '/api/admin-users/{user_id}/second-factor',
    summary: 'Take the second factor of another user away',
    description:
      'For a user who has lost it: an owner may for every other user, an admin for those of role user. Ends the sessions of the user.',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    params: AdminUserParams,
    response: Message.meta({ example: { message: 'Second factor of alan@example.com removed successfully' } }),
    errors: ['role_insufficient', 'user_not_found', 'second_factor_own', 'second_factor_off'],
  },
  async (context) => {
    const { email } = await reset(context, context.params.user_id);
    return { message: `Second factor of ${email} removed successfully` };
  },
);
