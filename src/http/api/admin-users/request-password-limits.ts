import type { PasswordLimits } from '../../../services/admin-users/password-limits.ts';
import {
  limitLogins,
  limitOidc,
  limitOwnPassword,
  limitSecondFactor,
  withPasswords,
} from '../../limits/limit-logins.ts';
import type { RequestContext } from '../../route.ts';

/** The limits of passwords for this request, which its answer shows. */
export const passwordLimits = (context: RequestContext): PasswordLimits => ({
  inTurn: (work) => withPasswords(context, work),
  ofLogins: (account, compare) => limitLogins(context, account, compare),
  ofSecondFactor: (account, compare) => limitSecondFactor(context, account, compare),
  ofOidc: (work) => limitOidc(context, work),
  ofOwnPassword: (userId, compare) => limitOwnPassword(context, userId, compare),
});
