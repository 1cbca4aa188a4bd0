import type { Attempt } from '../src/db/queries/finish-call.ts';

// A call's activity is aborted for one of two things: the call is cancelled, or this worker gives it up and another attempt has it.

/** How far an attempt at a call has come. */
export interface Progress {
  /** The client has seen a token of this attempt. */
  shown: boolean;
}

const reasonOf = ({ reason }: AbortSignal): string => (reason as Error).message;

/**
 * Not what the worker's own clock says while Temporal does not answer, of a stream that has shown something: no attempt can start
 * over any more, and should another one have ended the call by then, the guards on its row let only that one write.
 */
export function givenUpOrCancelled(signal: AbortSignal, progress: Progress): AbortSignal {
  const heard = new AbortController();
  const hear = () => {
    if (!progress.shown || reasonOf(signal) !== 'TIMED_OUT') heard.abort(signal.reason);
  };
  signal.addEventListener('abort', hear, { once: true });
  return heard.signal;
}

/** Another attempt has the call, or will have it: this worker is going down, was silent for too long, or an operator wants it so. */
const givenUp: readonly string[] = ['WORKER_SHUTDOWN', 'NOT_FOUND', 'TIMED_OUT', 'PAUSED', 'RESET'];

export const isGivenUp = (stop: AbortSignal): boolean => stop.aborted && givenUp.includes(reasonOf(stop));

/** The requests of a call that is given up: nobody cancelled the last one. */
export const cutShort = (attempts: Attempt[]): Attempt[] =>
  attempts.map((one) =>
    one.outcome === 'cancelled' ? { ...one, outcome: 'interrupted', error: 'the worker gave it up' } : one,
  );
