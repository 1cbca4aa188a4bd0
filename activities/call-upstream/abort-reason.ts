import type { Attempt } from '../../src/db/calls/finish-call.ts';

// An attempt at a call is aborted for one of three reasons: the call is cancelled, this worker gives it up to another attempt, or
// it was begun early and is not given to this worker.

/** How far an attempt at a call has come. */
export interface Progress {
  /** The client has seen a token of this attempt. */
  shown: boolean;
}

const reasonOf = ({ reason }: AbortSignal): string => (reason as Error).message;

/**
 * Aborts `taken` with `cancellation`. Ignores the worker's own time-out once a token was shown: no other attempt may start over,
 * and the row's guards let only one write the end.
 */
export function passOn(cancellation: AbortSignal, taken: AbortController, progress: Progress): void {
  const hear = () => {
    if (!progress.shown || reasonOf(cancellation) !== 'TIMED_OUT') taken.abort(cancellation.reason);
  };
  if (cancellation.aborted) hear();
  else cancellation.addEventListener('abort', hear, { once: true });
}

/** Why another attempt takes the call: this worker is shutting down, was silent for too long, or an operator asked for it. */
const givenUp: readonly string[] = ['WORKER_SHUTDOWN', 'NOT_FOUND', 'TIMED_OUT', 'PAUSED', 'RESET'];

/** False also for a call that is cancelled, and for one that is not given: that is left as it was. */
export const isGivenUp = (stop: AbortSignal): boolean => stop.aborted && givenUp.includes(reasonOf(stop));

/** The attempts of a call that is given up: the aborted request counts as interrupted, because nobody cancelled it. */
export const cutShort = (attempts: Attempt[]): Attempt[] =>
  attempts.map((one) =>
    one.outcome === 'cancelled' ? { ...one, outcome: 'interrupted', error: 'the worker gave it up' } : one,
  );
