import type { LimitStanding } from '../../errors.ts';
import type { Draw } from './counters.ts';

/** The counters that were last seen used up, until their windows end: they can refuse without a round trip. */
export interface ExhaustedCounters {
  /** Takes in how a counter stands after a draw: nothing happens while something is left. */
  note(draw: Draw, standing: LimitStanding): void;
  /** Something was given back to the counter. */
  delete(draw: Draw): void;
  get(draw: Draw): LimitStanding | undefined;
}

/** Far more holders than have used up a limit within a window. The oldest makes room. */
const mostCounters = 10_000;

export function createExhaustedCounters(now: () => number = Date.now): ExhaustedCounters {
  const counters = new Map<string, { limit: number; endsAt: number }>();

  return {
    note({ key }, { limit, remaining, resetMs }) {
      if (remaining > 0) return;
      counters.delete(key);
      counters.set(key, { limit, endsAt: now() + resetMs });
      if (counters.size > mostCounters) counters.delete(counters.keys().next().value!);
    },
    delete: ({ key }) => void counters.delete(key),
    get({ key, limit }) {
      const counter = counters.get(key);
      // A limit that was raised meanwhile has room.
      if (!counter || limit > counter.limit) return undefined;
      const resetMs = counter.endsAt - now();
      if (resetMs > 0) return { limit, remaining: 0, resetMs };
      counters.delete(key);
      return undefined;
    },
  };
}
