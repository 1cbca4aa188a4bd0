import { setImmediate } from 'node:timers/promises';

/**
 * Rejects when there is no answer in time. In a process that was busy for that long, the timer runs out before answers that
 * have arrived are read: so they are read first, and then it decides.
 */
export async function withTimeout<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    await setImmediate();
    reject(new Error(`no answer within ${withinMs} ms`));
  }, withinMs);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}
