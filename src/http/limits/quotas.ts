import type { Response } from 'express';
import {
  createFairSemaphore,
  type FairSemaphore,
  type Release,
  type SemaphoreLimits,
  type TaskOptions,
  TooManyWaiting,
  WaitedTooLong,
} from '../../concurrency/fair-semaphore.ts';
import { ReportTimedOut, refuseByLimit, Unavailable } from '../../errors.ts';
import { type Caller, cookieOf, credentialOf } from '../auth/caller.ts';
import { networkOf } from '../client-address.ts';
import type { Reply } from '../reply.ts';

const mebibyte = 1_048_576;

/** As long as a list may take at the database. */
const maxWaitMs = 5_000;

/**
 * What one holder, and all holders together, may have of this process at once, and how many requests may wait for it. The
 * reasons of the figures are in `docs/operations.md`, "Who may hold what".
 */
const limits = {
  /** Passwords that are compared or hashed. Two of Node's four threads stay free for other work. */
  passwords: { perKey: 2, total: 2, waiting: 50 },
  /** Bytes of bodies that are still arriving, of callers with a credential. */
  bodies: { perKey: 128 * mebibyte, total: 384 * mebibyte, waiting: 1_000 },
  /** The same of callers without one. */
  anonymousBodies: { perKey: 4 * mebibyte, total: 16 * mebibyte, waiting: 64 },
  /** Large bodies that are unpacked and checked. By its rest, one holder takes at most a quarter of the thread. */
  parsing: { perKey: 1, waiting: 1_000, rest: 3 },
  /** Answers of many rows, from their first statement until the client has read them. */
  lists: { perKey: 4, waiting: 400, maxWaitMs },
  /** The same until they are ready: the database reads two at once for all. */
  reports: { perKey: 2, waiting: 400, maxWaitMs },
  /** Requests that start or signal workflows. */
  workflowStarts: { perKey: 4, waiting: 2_000, rest: 1 },
  /** Streams of events for consoles. What is beyond is refused at once. */
  eventStreams: { perKey: 20, total: 500, waiting: 0 },
  /** Bytes of large answers that their clients have not read. */
  responses: { perKey: 64 * mebibyte },
} satisfies Record<string, SemaphoreLimits>;

export type QuotaName = keyof typeof limits;

/** A semaphore for each quota, by holder: `holderOf`. `acquire` and `run` throw 429 or 503 where too many wait. */
export type Quotas = Record<QuotaName, FairSemaphore>;

/**
 * Who holds it: the credential of the caller, or the network of a caller without one. All sessions of one user or team by cookie
 * are one holder, apart from other clients with the same rights: an open console takes nothing from the programs of its team.
 */
export function holderOf(caller: Caller, ip: string): string {
  if (caller.kind === 'anonymous') return `network:${networkOf(ip)}`;
  return cookieOf(caller) ? `console:${credentialOf(caller)}` : credentialOf(caller);
}

export const createQuotas = (): Quotas =>
  Object.fromEntries(Object.entries(limits).map(([name, one]) => [name, refusing(one)])) as Quotas;

/** Some of the waiting work is done within that time. */
const retryAfterMs = 1_000;

/** The semaphore, with 429 for work that finds too many waiting, and 503 for work that has waited too long. */
function refusing(one: SemaphoreLimits): FairSemaphore {
  const semaphore = createFairSemaphore(one);
  const refuseExcess = (error: unknown): never => {
    if (error instanceof WaitedTooLong) throw new Unavailable('quota', { cause: error });
    if (!(error instanceof TooManyWaiting)) throw error;
    throw refuseByLimit('rate_limited', { limit: one.perKey, remaining: 0, resetMs: retryAfterMs });
  };
  return {
    acquire: (key: string, options?: TaskOptions): Promise<Release> =>
      semaphore.acquire(key, options).catch(refuseExcess),
    run: (key, work, options) => semaphore.run(key, work, options).catch(refuseExcess),
    rejectWaiting: semaphore.rejectWaiting,
  };
}

/**
 * Executes work of a holder under a quota. If a service that it needs is unavailable, the waiting work of the holder is refused
 * too, because each would wait as long again.
 */
export async function runUnderQuota(
  quotas: readonly [FairSemaphore, ...FairSemaphore[]],
  holder: string,
  work: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply> {
  const rejectWaiting = (reason: unknown) => {
    for (const quota of quotas) quota.rejectWaiting(holder, reason);
  };
  try {
    const reply = await quotas[0].run(holder, work, { signal });
    if (reply.status === 503) rejectWaiting(new Unavailable('a dependency of the waiting requests'));
    return reply;
  } catch (error) {
    if (error instanceof Unavailable && !(error instanceof ReportTimedOut)) rejectWaiting(error);
    throw error;
  }
}

/** Counts against a quota until the client has read the answer or has disconnected. */
export async function holdUntilSent(
  quota: FairSemaphore,
  holder: string,
  response: Response,
  options: TaskOptions & { signal: AbortSignal },
): Promise<void> {
  const release = await quota.acquire(holder, options);
  response.once('close', release);
  if (response.closed) release();
}
