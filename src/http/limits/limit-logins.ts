import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import { networkOf } from '../../holders/network.ts';
import type { LimitUse } from '../../redis/limits/counters.ts';
import type { RequestContext } from '../route.ts';
import { refuseExhausted, takeLimits } from './take-limits.ts';

const windowMs = 15 * 60_000;
const failuresOfOneNetworkAndEmail = 10;
const failuresOfOneNetwork = 100;
const failuresOfOneUser = 10;

type PasswordAttempt = Pick<RequestContext, 'deps' | 'holder' | 'ip' | 'setHeader' | 'disconnected' | 'halfClosed'>;

/**
 * Whether a password is right, compared in a place of the caller. It is counted before it is compared, and the count is reversed
 * unless it is wrong, so that parallel attempts are limited like sequential ones.
 */
async function limitGuesses(
  context: PasswordAttempt,
  uses: readonly LimitUse[],
  compare: () => Promise<boolean>,
): Promise<boolean> {
  refuseExhausted(context, uses, 'too_many_logins');
  return withPasswords(context, async () => {
    const taken = await takeLimits(context, uses, 'too_many_logins');
    let isWrong = false;
    try {
      isWrong = !(await compare());
      return !isWrong;
    } finally {
      if (!isWrong) for (const use of uses) taken.correct(use, -1);
    }
  });
}

/**
 * Does work with passwords in turn, by the caller's credential or network. A client that closes its sending side while it waits for
 * its turn is refused: otherwise the hashes of logins that were abandoned would keep others waiting.
 */
export const withPasswords = <T>(
  { deps, holder, disconnected, halfClosed }: Omit<PasswordAttempt, 'setHeader'>,
  work: () => Promise<T>,
): Promise<T> => deps.measures.places.passwords.run(holder, work, { signal: disconnected, waitSignal: halfClosed() });

/** Limits failed logins: of a network and an account, and of a network. Logins from other networks are not affected. */
export function limitLogins(
  context: PasswordAttempt,
  email: string,
  compare: () => Promise<boolean>,
): Promise<boolean> {
  return limitGuesses(context, failedLogins(context, email), compare);
}

/** Limits failed sign-ins by OpenID Connect, as logins of one account of this name. */
export async function limitOidc<T>(context: PasswordAttempt, work: () => Promise<T>): Promise<T> {
  const uses = failedLogins(context, 'OpenID Connect');
  const taken = await takeLimits(context, uses, 'too_many_logins');
  let isWrong = false;
  try {
    return await work();
  } catch (error) {
    isWrong = error instanceof Refusal && error.code === 'oidc_failed';
    throw error;
  } finally {
    if (!isWrong) for (const use of uses) taken.correct(use, -1);
  }
}

function failedLogins({ ip }: PasswordAttempt, email: string): LimitUse[] {
  const network = networkOf(ip);
  const who = createHash('sha256').update(`${network} ${email}`).digest('base64url');
  return [
    { key: `logins:${who}`, cost: 1, limit: failuresOfOneNetworkAndEmail, windowMs },
    { key: `logins:${network}`, cost: 1, limit: failuresOfOneNetwork, windowMs },
  ];
}

/**
 * Limits failed codes of a second factor: they count as failed logins, and of the account from wherever, because who sends them has the
 * password, and three of a million codes are right.
 */
export function limitSecondFactor(
  context: PasswordAttempt,
  { email, userId }: { email: string; userId: string },
  compare: () => Promise<boolean>,
): Promise<boolean> {
  const ofAccount = { key: `second-factor:${userId}`, cost: 1, limit: failuresOfOneUser, windowMs };
  return limitGuesses(context, [ofAccount, ...failedLogins(context, email)], compare);
}

/** Limits how often a logged-in user may give a wrong current password, from wherever. */
export function limitOwnPassword(
  context: PasswordAttempt,
  userId: string,
  compare: () => Promise<boolean>,
): Promise<boolean> {
  const uses = [{ key: `own-password:${userId}`, cost: 1, limit: failuresOfOneUser, windowMs }];
  return limitGuesses(context, uses, compare);
}
