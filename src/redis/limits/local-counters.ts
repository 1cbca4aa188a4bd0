import type { Counters, Draw } from './counters.ts';

interface Window {
  used: number;
  endsAt: number;
}

/** The limits of one process, for the time that Redis is away. `rulings.md` 9.4. */
export function createLocalCounters(now: () => number = Date.now): Counters {
  const windows = new Map<string, Window>();
  let sweepAt = 0;

  const windowOf = ({ key, windowMs }: Draw): Window => {
    const current = windows.get(key);
    return current && current.endsAt > now() ? current : { used: 0, endsAt: now() + windowMs };
  };

  /** Keeps memory in proportion to the keys of one window, however many there were before. */
  const sweep = (everyMs: number) => {
    if (now() < sweepAt) return;
    sweepAt = now() + everyMs;
    for (const [key, { endsAt }] of windows) if (endsAt <= now()) windows.delete(key);
  };

  return {
    async take(draws) {
      const drawn = draws.map((draw) => ({ draw, window: windowOf(draw) }));
      const refused = drawn.findIndex(({ draw, window }) => window.used + draw.cost > draw.limit);
      for (const { draw, window } of refused === -1 ? drawn : []) {
        window.used += draw.cost;
        windows.set(draw.key, window);
        sweep(draw.windowMs);
      }
      return {
        refusedBy: refused === -1 ? undefined : refused,
        standings: drawn.map(({ draw: { limit }, window }) => ({
          limit,
          remaining: Math.max(0, limit - window.used),
          resetMs: window.endsAt - now(),
        })),
      };
    },
    async add(draw, amount) {
      const window = windowOf(draw);
      window.used = Math.max(0, window.used + amount);
      windows.set(draw.key, window);
    },
  };
}
