import type { LimitStanding } from '../../errors.ts';

/** What a request takes of one counter: `cost` of `limit`, in a window that begins with its first draw. */
export interface Draw {
  key: string;
  cost: number;
  limit: number;
  windowMs: number;
  /**
   * What is added above the limit counts in the windows after this one, each of which makes up for one limit: in so many windows at
   * most, this one included. Undefined: it ends with its window.
   */
  maxWindows?: number;
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
