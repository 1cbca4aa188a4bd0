import { setTimeout as pause } from 'node:timers/promises';

const [minPauseMs, maxPauseMs] = [5, 250];

/**
 * Polls until a condition holds. Throws with the last value after `withinMs`. The pauses are a fifth of the time that has passed: many
 * tests wait at once, and fifty that look every 20 ms keep a core busy.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  holds: (value: T) => boolean = Boolean,
  withinMs = 20_000,
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    const passedMs = Date.now() - startedAt;
    if (passedMs > withinMs)
      throw new Error(`the condition did not hold within ${withinMs} ms; last value: ${JSON.stringify(value)}`);
    await pause(Math.min(maxPauseMs, Math.max(minPauseMs, passedMs / 5)));
  }
}
