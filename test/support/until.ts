import { setTimeout as pause } from 'node:timers/promises';

/** Polls until a condition holds. Throws with the last value after `withinMs`. */
export async function until<T>(
  read: () => T | Promise<T>,
  holds: (value: T) => boolean = Boolean,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`the condition did not hold within ${withinMs} ms; last value: ${JSON.stringify(value)}`);
    await pause(20);
  }
}
