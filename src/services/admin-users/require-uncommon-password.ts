import { isCommonPassword } from '../../auth/common-passwords.ts';
import { invalid } from '../../errors.ts';
import type { ServiceDeps } from '../ports.ts';

/** Throws 422 for a new password that is among those that are tried first, where the setting refuses these. */
export function requireUncommonPassword(
  { config }: ServiceDeps,
  password: string,
  field: 'password' | 'new_password',
): void {
  if (config.COMMON_PASSWORDS === 'refused' && isCommonPassword(password))
    throw invalid(['body', field], 'Value error, the password is one of the most common ones');
}
