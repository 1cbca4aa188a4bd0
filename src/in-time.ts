import { setImmediate } from 'node:timers/promises';

/**
 * Rejects when there is no answer in time. A process that was busy for that long finds its timer run out before it has read
 * what arrived meanwhile: so it reads first, and then decides.
 */
export async function inTime<T>(answer: Promise<T>, withinMs: number): Promise<T> {
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
