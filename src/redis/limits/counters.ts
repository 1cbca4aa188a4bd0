import type { LimitState } from '../../errors.ts';

/** What a request uses of one limit: `cost` of `limit`, in a window that begins with its first use. */
export interface LimitUse {
  /** The name of the limit, a colon, and whose limit it is. */
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

/** The name of the limit, such as `calls` or `tokens`. */
export const limitName = ({ key }: Pick<LimitUse, 'key'>): string => key.slice(0, key.indexOf(':'));

export interface TakeResult {
  /** The index of the first use that exceeds its limit; then nothing was taken of any. Undefined: all were taken. */
  refusedBy: number | undefined;
  states: LimitState[];
}

/** Counters of limits. All uses are taken at once or none, so that a refused request takes nothing. */
export interface Counters {
  take(uses: readonly LimitUse[]): Promise<TakeResult>;
  /** Adds to what was taken. A negative amount is returned to the counter, which never falls below 0. */
  add(use: LimitUse, amount: number): Promise<void>;
}
