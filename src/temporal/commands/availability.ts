import { Unavailable } from '../../errors.ts';

/** What a command needs: Temporal to accept it, and a worker to execute it. */
export interface Availability {
  temporal: { isUnavailable(): boolean };
  workers: { isUnavailable(): boolean; isGone(): boolean };
}

/** The availability of a worker, which does not check: it is a worker itself. */
export const alwaysAvailable: Availability = {
  temporal: { isUnavailable: () => false },
  workers: { isUnavailable: () => false, isGone: () => false },
};

const checkMs = 500;

/**
 * Waits for `work`, which may take as long as the job. Throws `Unavailable` when Temporal is unavailable or `isWithoutWorkers`;
 * both are checked twice a second. Rejects with the reason of `left` when that aborts. `work` gets a signal that aborts when the wait
 * has ended.
 */
export async function waitWhileAvailable<T>(
  { temporal }: Availability,
  isWithoutWorkers: () => boolean,
  work: (signal: AbortSignal) => Promise<T>,
  left?: AbortSignal,
): Promise<T> {
  left?.throwIfAborted();
  const ending = new AbortController();
  const response = work(ending.signal);
  const interruption = new Promise<never>((_, reject) => {
    const timer = setInterval(() => {
      if (temporal.isUnavailable()) reject(new Unavailable('temporal'));
      if (isWithoutWorkers()) reject(new Unavailable('worker'));
    }, checkMs);
    const leave = () => reject(left!.reason);
    left?.addEventListener('abort', leave, { once: true });
    ending.signal.addEventListener('abort', () => {
      clearInterval(timer);
      left?.removeEventListener('abort', leave);
    });
  });
  try {
    return await Promise.race([response, interruption]);
  } finally {
    ending.abort();
    interruption.catch(() => undefined);
    response.catch(() => undefined);
  }
}
