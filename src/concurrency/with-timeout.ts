import { setImmediate } from 'node:timers/promises';

/**
 * Rejects if `response` has not settled after `timeoutMs`. In a process that was busy for that long, the timer fires before
 * responses that have already arrived are read: they are read in one more turn of the event loop, before it rejects.
 */
export async function withTimeout<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    await setImmediate();
    reject(new Error(`no response within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([response, timedOut]);
  } finally {
    clearTimeout(timer);
    response.catch(() => undefined);
  }
}
