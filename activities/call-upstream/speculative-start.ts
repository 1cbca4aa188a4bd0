import type { CallAttempt } from './call-attempt.ts';

/**
 * A worker that decides on a call is given the call's activity too, with the server's answer to that decision. It need not wait
 * for that answer to begin the call: the attempt gets a head start, and the activity takes it over. `docs/decisions/0029`.
 */
export interface SpeculativeStarts {
  /** A workflow of this worker has decided on the call; the server does not know yet. `begin`: if it can have a head start. */
  decided(callId: string, begin?: () => CallAttempt): void;
  /** The server has given this worker the call, or another attempt at it. Undefined: nothing has begun. */
  given(callId: string, attempt: number): CallAttempt | undefined;
  /** The worker takes no new work: nothing gets a head start any more. */
  close(): void;
}

interface Decided {
  attempt: CallAttempt | undefined;
  at: number;
  giveUp: NodeJS.Timeout;
}

const defaults = {
  /**
   * Where the server gives activities to any worker, a head start would be in vain and its request to the upstream made twice.
   * So none is given before this many calls in a row came to the worker that had decided on them.
   */
  trustedAfter: 20,
  /** A call comes with the answer to its decision, some milliseconds later. One that is out for longer may be elsewhere. */
  doubtfulAfterMs: 1_000,
  /** Where Temporal is away it is known by then, and who waits for a call that none has begun is told 503. */
  lostAfterMs: 2_000,
};

export type Trust = Partial<typeof defaults>;

export function createSpeculativeStarts(trust: Trust = {}): SpeculativeStarts {
  const { trustedAfter, doubtfulAfterMs, lostAfterMs } = { ...defaults, ...trust };
  /** In the order of their decisions. */
  const awaited = new Map<string, Decided>();
  let inARow = 0;
  let isClosed = false;

  const isTrusted = (now: number): boolean => {
    const [oldest] = awaited.values();
    return inARow >= trustedAfter && (!oldest || now - oldest.at < doubtfulAfterMs);
  };

  const lose = (callId: string): void => {
    awaited.get(callId)?.attempt?.lose();
    awaited.delete(callId);
    inARow = 0;
  };

  return {
    decided(callId, begin) {
      if (isClosed || awaited.has(callId)) return;
      const now = performance.now();
      const attempt = isTrusted(now) ? begin?.() : undefined;
      awaited.set(callId, { attempt, at: now, giveUp: setTimeout(lose, lostAfterMs, callId).unref() });
    },
    given(callId, attempt) {
      const decided = awaited.get(callId);
      if (!decided) return undefined;
      clearTimeout(decided.giveUp);
      // Another worker was given the first attempt.
      if (attempt > 1) {
        lose(callId);
        return undefined;
      }
      awaited.delete(callId);
      inARow += 1;
      return decided.attempt;
    },
    close() {
      isClosed = true;
    },
  };
}
