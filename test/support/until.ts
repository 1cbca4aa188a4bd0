import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition, not for a time. Fails with what was seen last. */
export async function until<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean = Boolean,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain; last seen: ${JSON.stringify(seen)}`);
    await pause(20);
  }
}
