import type { Response } from 'express';
import type { TaskOptions } from '../../concurrency/fair-semaphore.ts';
import { ReportTimedOut, Unavailable } from '../../errors.ts';
import type { Bound } from '../../holders/bound.ts';
import type { Holder } from '../../holders/holder.ts';

/**
 * Refuses the waiting work of a holder too, if an error shows that a service is unavailable which it needs: each would wait as long
 * again.
 */
export function rejectWaitingInOutage(bounds: readonly Bound[], holder: Holder, error: unknown): void {
  if (!(error instanceof Unavailable) || error instanceof ReportTimedOut) return;
  for (const bound of bounds) bound.rejectWaiting(holder, error);
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
