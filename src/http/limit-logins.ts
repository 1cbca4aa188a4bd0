import { createHash } from 'node:crypto';
import { Refusal } from '../errors.ts';
import { takeLimits } from './limits.ts';
import type { RequestContext } from './route.ts';

/** `rulings.md` 9.2 */
const windowMs = 15 * 60_000;
const failuresOfOneAddressAndEmail = 10;
const failuresOfOneAddress = 100;

const isFailedLogin = (error: unknown): boolean => error instanceof Refusal && error.code === 'login_failed';

/**
 * Carries out a login and counts it if it fails. It is counted before the password is compared and given back unless the
 * comparison failed, so that parallel logins get no more guesses than sequential ones; logins of one account take turns, so
 * that many valid ones at once do not use up the limit.
 */
export function limitLogins<T>(
  context: Pick<RequestContext, 'deps' | 'ip' | 'setHeader'>,
  email: string,
  logIn: () => Promise<T>,
): Promise<T> {
  const { deps, ip } = context;
  const who = createHash('sha256').update(`${ip} ${email}`).digest('base64url');
  const account = { key: `logins:${who}`, cost: 1, limit: failuresOfOneAddressAndEmail, windowMs };
  const address = { key: `logins:${ip}`, cost: 1, limit: failuresOfOneAddress, windowMs };
  return deps.passwordLines(who, async () => {
    const taken = await takeLimits(context, [account, address], 'too_many_logins');
    try {
      const answer = await logIn();
      giveBack();
      return answer;
    } catch (error) {
      if (!isFailedLogin(error)) giveBack();
      throw error;
    }

    function giveBack(): void {
      for (const draw of [account, address]) taken.correct(draw, -1);
    }
  });
}
