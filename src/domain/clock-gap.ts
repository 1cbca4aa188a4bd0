/** Timestamps of histories, records and credits come from four clocks: a second is far more than NTP leaves. */
export const toleratedGapMs = 1_000;

/** A time that another machine has stated between `before` and `after` of this one. All are milliseconds since the epoch. */
export interface StatedTime {
  before: number;
  after: number;
  stated: number;
  /** The time is rounded down to this: a header `Date` to a second. */
  resolutionMs?: number;
}

/** How far the other clock is ahead of this one, at least; behind where negative. 0: the two may agree. */
export function clockGapMs({ before, after, stated, resolutionMs = 1 }: StatedTime): number {
  if (stated > after) return stated - after;
  return Math.min(0, stated + resolutionMs - before);
}
