import type { z } from 'zod';
import type { LogIn } from '../../contracts/admin-users.ts';
import { auditFailedLogin } from '../../db/admin-users/audit-failed-login.ts';
import { findLogin } from '../../db/admin-users/find-login.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import type { SessionKind } from '../../domain/session-kind.ts';
import { Refusal, refuse } from '../../errors.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import type { ServiceContext } from '../context.ts';
import { type OpenedSession, openSession } from './open-session.ts';

type Login = z.output<typeof LogIn> & { kind: SessionKind };

/** Compares the password and opens a session. Throws 401, 403 for an inactive account, or 429; the first two are audited. */
export const logIn = (context: ServiceContext, login: Login, limits: PasswordLimits): Promise<OpenedSession> =>
  openSessionByPassword(context, login, limits).catch(auditFailure(context, login.email));

async function openSessionByPassword(
  context: ServiceContext,
  { email, password, kind }: Login,
  limits: PasswordLimits,
): Promise<OpenedSession> {
  const { deps } = context;
  const { known, usualCost } = await findLogin(deps.database, email);
  // The password is compared even if there is no user of that e-mail, which the time must not show.
  const compare = () => deps.passwords.matches(password, known?.password_hash, usualCost);
  if (!(await limits.ofLogins(email, compare)) || !known) throw refuse('login_failed');
  const { user_id, password_hash } = known;
  const hashAnew = () => limits.inTurn(() => deps.passwords.hash(password));
  const hash = deps.passwords.isOutdated(password_hash) ? await hashAnew() : password_hash;
  return deps.database.transaction(async (entities) => {
    // The row is locked from here on: no deactivation or new password can come between this and the session.
    const stillSo = { user_id, password_hash, is_active: true };
    const login = { last_login: new Date(), password_hash: hash };
    const count = await entities.nativeUpdate(AdminUser, stillSo, login);
    if (count === 0) {
      const isDeactivated = (await entities.count(AdminUser, { ...stillSo, is_active: false })) > 0;
      throw refuse(isDeactivated ? 'account_inactive' : 'login_failed');
    }
    const user = await entities.findOneOrFail(AdminUser, { user_id });
    return openSession(entities, context, user, { kind, action: 'login' });
  });
}

/** Audits, as a `catch`, a login that failed and throws its error on. The limit of failed logins bounds it. */
const auditFailure =
  ({ deps, ip }: ServiceContext, email: string) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof Refusal && (error.code === 'login_failed' || error.code === 'account_inactive'))
      await auditFailedLogin(deps.database, { email, refused: error.code, ip });
    throw error;
  };
