import type { LimitState } from '../../errors.ts';
import type { Counters, LimitUse } from './counters.ts';

interface Window {
  used: number;
  /** The part of it that is not counted in Redis. */
  unsynced: number;
  endsAt: number;
  /** The time when nothing of it counts any more: later than its end if it was overdrawn. */
  forgottenAt: number;
}

export interface LocalCounters extends Counters {
  /** Counts what was taken in Redis: used here too, and not unsynced. */
  addSynced(use: LimitUse, amount: number): void;
  /** Takes nothing. */
  state(use: LimitUse): LimitState;
  /** What was taken in this window without Redis. It counts as synced from now on. */
  takeUnsynced(use: LimitUse): number;
}

/** Ended windows are deleted so often. */
const sweepMs = 60_000;

/** The limits of one process, for outages of Redis. `spec 9.4` */
export function createLocalCounters(now: () => number = Date.now): LocalCounters {
  const windows = new Map<string, Window>();
  let sweepAt = 0;

  const findWindow = ({ key, limit, windowMs }: LimitUse): Window => {
    const last = windows.get(key);
    const time = now();
    if (last && last.endsAt > time) return last;
    if (!last || last.forgottenAt <= time) return { used: 0, unsynced: 0, endsAt: time + windowMs, forgottenAt: 0 };
    const ended = Math.floor((time - last.endsAt) / windowMs) + 1;
    const used = Math.max(0, last.used - ended * limit);
    return { ...last, used, unsynced: Math.min(last.unsynced, used), endsAt: last.endsAt + ended * windowMs };
  };

  const count = (use: LimitUse, amount: number, unsynced: number): Window => {
    const { limit, windowMs, maxWindows } = use;
    const window = findWindow(use);
    window.used = Math.min(
      Math.max(0, window.used + amount),
      maxWindows ? maxWindows * limit : Number.POSITIVE_INFINITY,
    );
    window.unsynced = Math.max(0, window.unsynced + unsynced);
    const further = maxWindows ? Math.max(0, Math.ceil(window.used / limit) - 1) : 0;
    window.forgottenAt = window.endsAt + further * windowMs;
    windows.set(use.key, window);
    deleteEnded();
    return window;
  };

  /** Bounds memory by the keys whose windows have not ended, however many there were before. */
  const deleteEnded = () => {
    if (now() < sweepAt) return;
    sweepAt = now() + sweepMs;
    for (const [key, { forgottenAt }] of windows) if (forgottenAt <= now()) windows.delete(key);
  };

  return {
    async take(uses) {
      const refused = uses.findIndex((use) => findWindow(use).used + use.cost > use.limit);
      const after = uses.map((use) => (refused === -1 ? count(use, use.cost, use.cost) : findWindow(use)));
      return {
        refusedBy: refused === -1 ? undefined : refused,
        states: after.map(({ used, endsAt }, index) => {
          const { limit } = uses[index]!;
          return { limit, remaining: Math.max(0, limit - used), resetMs: endsAt - now() };
        }),
      };
    },
    async add(use, amount) {
      count(use, amount, amount);
    },
    addSynced(use, amount) {
      count(use, amount, 0);
    },
    state: (use) => {
      const { limit } = use;
      if (!((windows.get(use.key)?.forgottenAt ?? 0) > now())) return { limit, remaining: limit, resetMs: 0 };
      const { used, endsAt } = findWindow(use);
      return { limit, remaining: Math.max(0, limit - used), resetMs: endsAt - now() };
    },
    takeUnsynced(use) {
      const window = findWindow(use);
      const { unsynced } = window;
      if (unsynced > 0) windows.set(use.key, { ...window, unsynced: 0 });
      return unsynced;
    },
  };
}

/** The counters of which the last use left nothing, until their windows end: they can refuse without a round trip. */
export interface ExhaustedCounters {
  /** Records the state of a counter after a use, if nothing remains of it. */
  record(use: LimitUse, state: LimitState): void;
  /** Forgets a counter to which something was returned. */
  delete(use: LimitUse): void;
  get(use: LimitUse): LimitState | undefined;
}

/** Fewer holders exhaust a limit within a window. Beyond so many the oldest is deleted. */
const maxExhausted = 10_000;

export function createExhaustedCounters(now: () => number = Date.now): ExhaustedCounters {
  const counters = new Map<string, { limit: number; endsAt: number }>();

  return {
    record({ key }, { limit, remaining, resetMs }) {
      if (remaining > 0) return;
      counters.delete(key);
      counters.set(key, { limit, endsAt: now() + resetMs });
      if (counters.size > maxExhausted) counters.delete(counters.keys().next().value!);
    },
    delete: ({ key }) => void counters.delete(key),
    get({ key, limit }) {
      const counter = counters.get(key);
      // If the limit was raised meanwhile, something remains.
      if (!counter || limit > counter.limit) return undefined;
      const resetMs = counter.endsAt - now();
      if (resetMs > 0) return { limit, remaining: 0, resetMs };
      counters.delete(key);
      return undefined;
    },
  };
}
