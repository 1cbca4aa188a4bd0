import type { Attempt } from '../src/db/queries/finish-call.ts';

// A call's activity is aborted for one of two reasons: the call is cancelled, or this worker gives it up to another attempt.

/** How far an attempt at a call has come. */
export interface Progress {
  /** The client has seen a token of this attempt. */
  shown: boolean;
}

const reasonOf = ({ reason }: AbortSignal): string => (reason as Error).message;

/**
 * Ignores the worker's own time-out once a token was shown: no other attempt may start over, and the row's guards let only one
 * write the end.
 */
export function givenUpOrCancelled(signal: AbortSignal, progress: Progress): AbortSignal {
  const heard = new AbortController();
  const hear = () => {
    if (!progress.shown || reasonOf(signal) !== 'TIMED_OUT') heard.abort(signal.reason);
  };
  signal.addEventListener('abort', hear, { once: true });
  return heard.signal;
}

/** Why another attempt takes the call: this worker is shutting down, was silent for too long, or an operator asked for it. */
const givenUp: readonly string[] = ['WORKER_SHUTDOWN', 'NOT_FOUND', 'TIMED_OUT', 'PAUSED', 'RESET'];

/** False also for a call that is cancelled. */
export const isGivenUp = (stop: AbortSignal): boolean => stop.aborted && givenUp.includes(reasonOf(stop));

/** The attempts of a call that is given up: the aborted request counts as interrupted, because nobody cancelled it. */
export const cutShort = (attempts: Attempt[]): Attempt[] =>
  attempts.map((one) =>
    one.outcome === 'cancelled' ? { ...one, outcome: 'interrupted', error: 'the worker gave it up' } : one,
  );
