import type { LimitStanding } from '../../errors.ts';

/** What a request wants of one counter: `cost` out of `limit` in a window that begins with the first to ask. */
export interface Draw {
  key: string;
  cost: number;
  limit: number;
  windowMs: number;
}

export interface Drawn {
  /** The first draw that does not fit; then nothing was taken of any. Undefined: all were taken. */
  refusedBy: number | undefined;
  standings: LimitStanding[];
}

/** Counters that are drawn on all at once or not at all, so that what is refused costs nothing. */
export interface Counters {
  take(draws: readonly Draw[]): Promise<Drawn>;
  /** Adds to what was taken; a negative amount gives back, never below nothing. */
  add(draw: Draw, amount: number): Promise<void>;
}
