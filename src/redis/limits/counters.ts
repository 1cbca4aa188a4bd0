import type { LimitStanding } from '../../errors.ts';

/** What a request takes of one counter: `cost` of `limit`, in a window that begins with its first draw. */
export interface Draw {
  key: string;
  cost: number;
  limit: number;
  windowMs: number;
  /**
   * What is added above the limit carries over: the window lasts longer, by its length for each further limit, and at most so long.
   * Undefined: it ends with its window.
   */
  maxWindowMs?: number;
}

export interface Drawn {
  /** The index of the first draw that exceeds its limit; then nothing was taken of any. Undefined: all were taken. */
  refusedBy: number | undefined;
  standings: LimitStanding[];
}

/** Counters that are drawn on all at once or not at all, so that a refused request takes nothing. */
export interface Counters {
  take(draws: readonly Draw[]): Promise<Drawn>;
  /** Adds to what was taken. A negative amount is returned to the counter, which never falls below 0. */
  add(draw: Draw, amount: number): Promise<void>;
}

/** By how much a counter that changes from `before` to `after` prolongs its window; negative where it becomes shorter. `spec 9.1` */
export const prolongedBy = ({ limit, windowMs }: Draw, before: number, after: number): number =>
  (windowMs * (Math.max(after, limit) - Math.max(before, limit))) / limit;
