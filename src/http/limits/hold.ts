import type { Response } from 'express';
import type { TaskOptions } from '../../concurrency/fair-semaphore.ts';
import { ReportTimedOut, Unavailable } from '../../errors.ts';
import type { Bound } from '../../holders/bound.ts';
import type { Holder } from '../../holders/holder.ts';
import type { Reply } from '../reply.ts';

/**
 * Executes work of a holder within a bound. If a service that it needs is unavailable, the waiting work of the holder is refused
 * too, because each would wait as long again.
 */
export async function runWithin(
  bounds: readonly [Bound, ...Bound[]],
  holder: Holder,
  work: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply> {
  const rejectWaiting = (reason: unknown) => {
    for (const bound of bounds) bound.rejectWaiting(holder, reason);
  };
  try {
    const reply = await bounds[0].run(holder, work, { signal });
    if (reply.status === 503) rejectWaiting(new Unavailable('a dependency of the waiting requests'));
    return reply;
  } catch (error) {
    if (error instanceof Unavailable && !(error instanceof ReportTimedOut)) rejectWaiting(error);
    throw error;
  }
}

/** Counts against a bound until the client has read the answer or has disconnected. */
export async function holdUntilSent(
  bound: Bound,
  holder: Holder,
  response: Response,
  options: TaskOptions & { signal: AbortSignal },
): Promise<void> {
  const release = await bound.acquire(holder, options);
  response.once('close', release);
  if (response.closed) release();
}
