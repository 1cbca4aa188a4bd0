import { newOneTimeSecret, oneTimeUri, secondFactorContext } from '../../auth/one-time-codes.ts';
import { storeSecret } from '../../db/admin-users/second-factor.ts';
import { refuse } from '../../errors.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import { getOwnUser } from '../admin-users/read-admin-users.ts';
import { requireCurrentPassword } from '../admin-users/require-current-password.ts';
import type { ServiceContext } from '../context.ts';

export interface StartedSecondFactor {
  secret: string;
  uri: string;
}

/**
 * Makes a secret for the caller's authenticator. It is asked for once a code has confirmed it. Needs the password: who finds an open
 * session must not lock its user out.
 */
export async function startSecondFactor(
  context: ServiceContext,
  current_password: string,
  limits: PasswordLimits,
): Promise<StartedSecondFactor> {
  const { deps } = context;
  const user = await getOwnUser(context);
  await requireCurrentPassword(context, user, current_password, limits, 'failed_second_factor_change');
  const secret = newOneTimeSecret();
  const sealed = deps.secrets.seal(secret, secondFactorContext(user.user_id));
  if (!(await storeSecret(deps.database, user.user_id, sealed))) throw refuse('second_factor_on');
  return { secret, uri: oneTimeUri(secret, user.email, 'Gateway') };
}
