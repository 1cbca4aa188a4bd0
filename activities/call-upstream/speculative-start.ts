import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from '../../src/metrics/metrics.ts';
import type { SpeculativeStarts } from '../ports.ts';
import type { EarlyAnswer } from './early-answer.ts';

/** The starts with `SPECULATIVE_START=off`: there are none. */
export const noSpeculativeStarts: SpeculativeStarts = {
  expect: () => undefined,
  take: async () => undefined,
  leave: async () => undefined,
  discard: async () => undefined,
  close: async () => undefined,
};

interface ExpectedCall {
  at: number;
  timeout: NodeJS.Timeout;
  early: EarlyAnswer | undefined;
}

const defaults = {
  /**
   * Where the server gives the calls of these jobs to any worker, the upstream would receive requests in vain. So there is none before
   * this many expected calls in a row were given to this worker. Of two workers each is given every second new job; ten of a job's calls
   * in a row where the server may give them to any worker are as improbable.
   */
  trustedAfter: { ofHeldJobs: 10, ofNewJobs: 20 },
  /** A call follows its notice within milliseconds. While one takes longer than this, no other is requested early. */
  doubtfulAfterMs: 300,
  /** Calls that are on their way have no slot of the worker yet. */
  mostAtOnce: 100,
  /** An answer that is not taken by then is discarded. */
  discardAfterMs: 2_000,
};

const closingCheckMs = 10;

type Bounds = Omit<typeof defaults, 'trustedAfter'>;

/** The calls of one kind of jobs, in the order of their notices. */
class ExpectedCalls {
  private readonly calls = new Map<string, ExpectedCall>();
  private readonly trustedAfter: number;
  private readonly bounds: Bounds;
  private givenInARow = 0;

  constructor(trustedAfter: number, bounds: Bounds) {
    this.trustedAfter = trustedAfter;
    this.bounds = bounds;
  }

  add(callId: string, request: () => EarlyAnswer | undefined, onTimeout: () => void): void {
    const now = performance.now();
    const [oldest] = this.calls.values();
    const { doubtfulAfterMs, discardAfterMs, mostAtOnce } = this.bounds;
    const isTrusted =
      this.givenInARow >= this.trustedAfter &&
      this.calls.size < mostAtOnce &&
      (!oldest || now - oldest.at < doubtfulAfterMs);
    const timeout = setTimeout(onTimeout, discardAfterMs).unref();
    this.calls.set(callId, { early: isTrusted ? request() : undefined, at: now, timeout });
  }

  /** Removes the call. `isGiven`: whether Temporal has given it to this worker; absent: it is given to none. */
  remove(callId: string, isGiven?: boolean): ExpectedCall | undefined {
    const call = this.calls.get(callId);
    if (!call) return undefined;
    this.calls.delete(callId);
    clearTimeout(call.timeout);
    if (isGiven !== undefined) this.givenInARow = isGiven ? this.givenInARow + 1 : 0;
    return call;
  }

  /** An answer was requested and is not taken yet. */
  get hasEarly(): boolean {
    return [...this.calls.values()].some(({ early }) => early !== undefined);
  }

  has(callId: string): boolean {
    return this.calls.has(callId);
  }
}

export function createSpeculativeStarts(
  { speculativeStarts: started }: Pick<Metrics, 'speculativeStarts'>,
  options: Partial<typeof defaults> = {},
): SpeculativeStarts {
  const { trustedAfter, ...bounds } = { ...defaults, ...options };
  const expected = {
    ofNewJobs: new ExpectedCalls(trustedAfter.ofNewJobs, bounds),
    ofHeldJobs: new ExpectedCalls(trustedAfter.ofHeldJobs, bounds),
  };
  /** The calls that this worker was given and has not ended: their notice may come late. */
  const given = new Set<string>();
  let isClosed = false;

  const remove = (callId: string, isGiven?: boolean) =>
    expected.ofHeldJobs.remove(callId, isGiven) ?? expected.ofNewJobs.remove(callId, isGiven);

  async function discard(callId: string, isGiven?: false): Promise<void> {
    const early = remove(callId, isGiven)?.early;
    if (!early) return;
    started.inc({ outcome: 'discarded' });
    await early.discard();
  }

  return {
    expect(callId, jobs, request) {
      if (isClosed || given.has(callId) || expected[jobs].has(callId)) return;
      expected[jobs].add(callId, request, () => void discard(callId, false));
    },
    async take(callId, workerAttempt) {
      given.add(callId);
      // Another worker was given the first attempt.
      if (workerAttempt > 1) await discard(callId, false);
      const early = remove(callId, true)?.early;
      if (early) started.inc({ outcome: 'confirmed' });
      return early;
    },
    async leave(callId, early) {
      given.delete(callId);
      await early?.discard();
    },
    discard,
    async close() {
      isClosed = true;
      // What the server would not give any more to a worker that shuts down, it gives within milliseconds to one that does not.
      while (expected.ofHeldJobs.hasEarly || expected.ofNewJobs.hasEarly) await pause(closingCheckMs);
    },
  };
}
