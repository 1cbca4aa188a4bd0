import type { Counters, Draw } from './counters.ts';

interface Window {
  used: number;
  /** The part of it that Redis does not know. */
  owed: number;
  endsAt: number;
}

export interface LocalCounters extends Counters {
  /** Counts what was taken through Redis: known here, and not owed. */
  note(draw: Draw, amount: number): void;
  /** What was taken in this window without Redis; returned once. */
  takeOwed(draw: Draw): number;
}

/** The limits of one process, for the time that Redis is away. `spec 9.4` */
export function createLocalCounters(now: () => number = Date.now): LocalCounters {
  const windows = new Map<string, Window>();
  let sweepAt = 0;

  const windowOf = ({ key, windowMs }: Draw): Window => {
    const current = windows.get(key);
    return current && current.endsAt > now() ? current : { used: 0, owed: 0, endsAt: now() + windowMs };
  };

  const use = (draw: Draw, amount: number, owed: number): Window => {
    const window = windowOf(draw);
    window.used = Math.max(0, window.used + amount);
    window.owed = Math.max(0, window.owed + owed);
    windows.set(draw.key, window);
    sweep(draw.windowMs);
    return window;
  };

  /** Keeps memory in proportion to the keys of one window, however many there were before. */
  const sweep = (everyMs: number) => {
    if (now() < sweepAt) return;
    sweepAt = now() + everyMs;
    for (const [key, { endsAt }] of windows) if (endsAt <= now()) windows.delete(key);
  };

  return {
    async take(draws) {
      const refused = draws.findIndex((draw) => windowOf(draw).used + draw.cost > draw.limit);
      const after = draws.map((draw) => (refused === -1 ? use(draw, draw.cost, draw.cost) : windowOf(draw)));
      return {
        refusedBy: refused === -1 ? undefined : refused,
        standings: after.map(({ used, endsAt }, index) => {
          const { limit } = draws[index]!;
          return { limit, remaining: Math.max(0, limit - used), resetMs: endsAt - now() };
        }),
      };
    },
    async add(draw, amount) {
      use(draw, amount, amount);
    },
    note(draw, amount) {
      use(draw, amount, 0);
    },
    takeOwed(draw) {
      const window = windowOf(draw);
      const { owed } = window;
      window.owed = 0;
      return owed;
    },
  };
}
