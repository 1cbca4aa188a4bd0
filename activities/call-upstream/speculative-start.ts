import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from '../../src/metrics/metrics.ts';
import type { SpeculativeStarts } from '../ports.ts';
import type { EarlyAnswer } from './early-answer.ts';

/** The starts with `SPECULATIVE_START=off`: there are none. */
export const noSpeculativeStarts: SpeculativeStarts = {
  expect: () => undefined,
  take: async () => undefined,
  leave: () => undefined,
  discard: () => undefined,
  close: async () => undefined,
};

interface ExpectedCall {
  at: number;
  timeout: NodeJS.Timeout;
  early: Promise<EarlyAnswer | undefined> | undefined;
}

const defaults = {
  /**
   * Where the server gives the calls of a job to any worker, the upstream would receive requests in vain. So there is none before this many
   * expected calls in a row were given to this worker.
   */
  trustedAfter: 10,
  /** A call follows its notice within milliseconds. While one takes longer than this, no other is requested early. */
  doubtfulAfterMs: 300,
  /** Calls that are on their way have no slot of the worker yet. */
  mostAtOnce: 100,
  /** An answer that is not taken by then is discarded: later than a machine that is full needs, and before another worker may have the call. */
  discardAfterMs: 5_000,
};

const closingCheckMs = 10;

export function createSpeculativeStarts(
  { speculativeStarts: started }: Pick<Metrics, 'speculativeStarts'>,
  options: Partial<typeof defaults> = {},
): SpeculativeStarts {
  const { trustedAfter, doubtfulAfterMs, mostAtOnce, discardAfterMs } = { ...defaults, ...options };
  /** The calls in the order of their notices. */
  const expected = new Map<string, ExpectedCall>();
  /** The calls that this worker was given and has not ended: their notice may come late. */
  const given = new Set<string>();
  let givenInARow = 0;
  let isClosed = false;

  const isTrusted = (now: number): boolean => {
    const [oldest] = expected.values();
    if (givenInARow < trustedAfter || expected.size >= mostAtOnce) return false;
    return !oldest || now - oldest.at < doubtfulAfterMs;
  };

  /** `isGiven`: whether Temporal has given the call to this worker; absent: it is given to none. Undefined: it was not expected. */
  const remove = (callId: string, isGiven?: boolean): ExpectedCall | undefined => {
    const call = expected.get(callId);
    if (!call) return undefined;
    expected.delete(callId);
    clearTimeout(call.timeout);
    if (isGiven !== undefined) givenInARow = isGiven ? givenInARow + 1 : 0;
    return call;
  };

  async function discard(callId: string, isGiven?: false): Promise<void> {
    const early = await remove(callId, isGiven)?.early;
    if (!early) return;
    started.inc({ outcome: 'discarded' });
    early.discard();
  }

  return {
    expect(callId, request) {
      if (isClosed || given.has(callId) || expected.has(callId)) return;
      const now = performance.now();
      const early = isTrusted(now) ? request() : undefined;
      // Another worker may have requested it.
      void early?.then((answer) => answer ?? remove(callId));
      expected.set(callId, { early, at: now, timeout: setTimeout(discard, discardAfterMs, callId, false).unref() });
    },
    async take(callId, workerAttempt) {
      given.add(callId);
      // Another worker was given the first attempt.
      if (workerAttempt > 1) await discard(callId, false);
      const early = await remove(callId, true)?.early;
      if (early) started.inc({ outcome: 'confirmed' });
      return early;
    },
    leave(callId, early) {
      given.delete(callId);
      early?.discard();
    },
    discard: (callId) => void discard(callId),
    async close() {
      isClosed = true;
      // What the server would not give any more to a worker that shuts down, it gives within milliseconds to one that does not.
      while ([...expected.values()].some(({ early }) => early !== undefined)) await pause(closingCheckMs);
    },
  };
}
