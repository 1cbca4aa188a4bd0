import type { SignIn } from '../../contracts/sessions.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import type { ServiceContext } from '../context.ts';
import { type CallerSession, readTeamSession } from './get-session.ts';
import { logIn } from './log-in.ts';
import { logInByKey } from './log-in-by-key.ts';

export interface SignedIn {
  /** The secret in the cookie. */
  token: string;
  session: CallerSession;
}

/** Opens a session of the console: of an admin user by a password, or of a team by its virtual key. `spec 19.2` */
export async function signIn(
  context: ServiceContext,
  { email, password, code, virtual_key }: SignIn,
  limits: PasswordLimits,
): Promise<SignedIn> {
  if (typeof virtual_key === 'string') {
    const { token, teamId, expiresAt } = await logInByKey(context, virtual_key, limits);
    return { token, session: await readTeamSession(context.deps, teamId, 'team session', expiresAt) };
  }
  const login = { email: email!, password: password!, code, kind: 'cookie' } as const;
  const { token, user, expiresAt } = await logIn(context, login, limits);
  return { token, session: { kind: 'user', user, expiresAt } };
}
