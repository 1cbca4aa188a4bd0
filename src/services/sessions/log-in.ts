import type { z } from 'zod';
import type { LogIn } from '../../contracts/admin-users.ts';
import { auditFailedLogin } from '../../db/admin-users/audit-failed-login.ts';
import { findLogin } from '../../db/admin-users/find-login.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import type { SessionKind } from '../../domain/session-kind.ts';
import { Refusal, type RefusalCode, refuse } from '../../errors.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import type { ServiceContext } from '../context.ts';
import { useCode } from '../second-factors/use-code.ts';
import { type OpenedSession, openSession } from './open-session.ts';

type Login = z.output<typeof LogIn> & { kind: SessionKind };

/**
 * Compares the password, and the code where there is a second factor, and opens a session. Throws 401, 403 for an inactive account, or
 * 429; what failed is audited.
 */
export const logIn = (context: ServiceContext, login: Login, limits: PasswordLimits): Promise<OpenedSession> =>
  openSessionByPassword(context, login, limits).catch(auditFailure(context, login.email));

async function openSessionByPassword(
  context: ServiceContext,
  { email, password, code, kind }: Login,
  limits: PasswordLimits,
): Promise<OpenedSession> {
  const { deps } = context;
  const { known, usualCost } = await findLogin(deps.database, email);
  // The password is compared even if there is no user of that e-mail, which the time must not show.
  const compare = () => deps.passwords.matches(password, known?.password_hash, usualCost);
  if (!(await limits.ofLogins(email, compare)) || !known) throw refuse('login_failed');
  const { user_id, password_hash, second_factor_at } = known;
  if (second_factor_at && known.is_active) await requireCode(context, { email, userId: user_id }, code, limits);
  const hashAnew = () => limits.inTurn(() => deps.passwords.hash(password));
  const hash = deps.passwords.isOutdated(password_hash) ? await hashAnew() : password_hash;
  return deps.database.transaction(async (entities) => {
    // The row is locked from here on: no deactivation, new password or second factor can come between this and the session.
    const stillSo = { user_id, password_hash, second_factor_at, is_active: true };
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

/** The password was right: without a code the client learns that it needs one, which is no failure. */
async function requireCode(
  context: ServiceContext,
  account: { email: string; userId: string },
  code: string | null | undefined,
  limits: PasswordLimits,
): Promise<void> {
  if (typeof code !== 'string') throw refuse('second_factor_required');
  const isRight = await limits.ofSecondFactor(account, () => useCode(context, account.userId, code));
  if (!isRight) throw refuse('second_factor_wrong');
}

const auditedRefusals: readonly RefusalCode[] = ['login_failed', 'second_factor_wrong', 'account_inactive'];

/** Audits, as a `catch`, a login that failed and throws its error on. The limit of failed logins bounds it. */
const auditFailure =
  ({ deps, ip }: ServiceContext, email: string) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof Refusal && auditedRefusals.includes(error.code))
      await auditFailedLogin(deps.database, { email, refused: error.code, ip });
    throw error;
  };
