import type { Response } from 'express';
import type { TaskOptions } from '../../concurrency/fair-semaphore.ts';
import { ReportTimedOut, Unavailable } from '../../errors.ts';
import type { Bound } from '../../holders/bound.ts';
import type { Holder } from '../../holders/holder.ts';

/**
 * Executes work of a holder within the first bound. If a service that it needs is unavailable, the waiting work of the holder is
 * refused too, because each would wait as long again. `isOutage`: of a result that stands for such an error.
 */
export async function runWithin<T>(
  bounds: readonly [Bound, ...Bound[]],
  holder: Holder,
  work: () => Promise<T>,
  { signal, isOutage = () => false }: { signal: AbortSignal; isOutage?: (result: T) => boolean },
): Promise<T> {
  const rejectWaiting = (reason: unknown) => {
    for (const bound of bounds) bound.rejectWaiting(holder, reason);
  };
  try {
    const result = await bounds[0].run(holder, work, { signal });
    if (isOutage(result)) rejectWaiting(new Unavailable('a dependency of the waiting requests'));
    return result;
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
