import { createHash } from 'node:crypto';
import { Refusal, type RefusalCode } from '../errors.ts';
import type { Draw } from '../redis/limits/counters.ts';
import { networkOf } from './client-address.ts';
import { refuseExhausted, takeLimits } from './limits.ts';
import { holderOf } from './quotas.ts';
import type { RequestContext } from './route.ts';

const windowMs = 15 * 60_000;
const failuresOfOneNetworkAndEmail = 10;
const failuresOfOneNetwork = 100;
const failuresOfOneUser = 10;

type Guessing = Pick<RequestContext, 'deps' | 'caller' | 'ip' | 'setHeader' | 'gone'>;

/**
 * Tries a password when it is the caller's turn, and counts it if it is wrong, which the refusal `wrong` shows. It is counted
 * before the password is compared and given back unless the comparison failed, so that parallel attempts get no more guesses
 * than sequential ones.
 */
function limitGuesses<T>(
  context: Guessing,
  draws: readonly Draw[],
  wrong: RefusalCode,
  attempt: () => Promise<T>,
): Promise<T> {
  refuseExhausted(context, draws, 'too_many_logins');
  return withPasswords(context, async () => {
    const taken = await takeLimits(context, draws, 'too_many_logins');
    const giveBack = () => {
      for (const draw of draws) taken.correct(draw, -1);
    };
    try {
      const answer = await attempt();
      giveBack();
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === wrong)) giveBack();
      throw error;
    }
  });
}

/** Work with passwords, in turn: of the caller's credential, or of the caller's network. */
export const withPasswords = <T>(
  { deps, caller, ip, gone }: Omit<Guessing, 'setHeader'>,
  work: () => Promise<T>,
): Promise<T> => deps.quotas.passwords.run(holderOf(caller, ip), work, { signal: gone });

/** Limits failed logins: of a network and an account, and of a network. Logins from other networks are not affected. */
export function limitLogins<T>(context: Guessing, email: string, logIn: () => Promise<T>): Promise<T> {
  const network = networkOf(context.ip);
  const who = createHash('sha256').update(`${network} ${email}`).digest('base64url');
  const draws = [
    { key: `logins:${who}`, cost: 1, limit: failuresOfOneNetworkAndEmail, windowMs },
    { key: `logins:${network}`, cost: 1, limit: failuresOfOneNetwork, windowMs },
  ];
  return limitGuesses(context, draws, 'login_failed', logIn);
}

/** Limits how often a logged-in user may give a wrong current password, from wherever. */
export function limitOwnPassword<T>(context: Guessing, userId: string, change: () => Promise<T>): Promise<T> {
  const draws = [{ key: `own-password:${userId}`, cost: 1, limit: failuresOfOneUser, windowMs }];
  return limitGuesses(context, draws, 'password_wrong', change);
}
