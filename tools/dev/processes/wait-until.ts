import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the condition is true; returns false after the timeout. A condition that throws counts as false. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: { withinMs: number; everyMs?: number },
): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    if (await attempt(condition)) return true;
    if (performance.now() >= end) return false;
    await pause(everyMs);
  }
}

const attempt = async (condition: () => boolean | Promise<boolean>): Promise<boolean> => {
  try {
    return await condition();
  } catch {
    return false;
  }
};
