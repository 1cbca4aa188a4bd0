import type { RangeSearch } from './time-range.ts';

/** An answer with the range that it was requested for. */
export interface Ranged {
  from: string;
  to: string;
  asked: RangeSearch;
}

/**
 * The range of a link from a figure to the list of what it is the sum of. A range up to now stays one. Of a fixed range it is what the
 * answer has summed, which may be longer than what was requested.
 */
export function linkedRange({ from, to, asked }: Ranged): RangeSearch {
  const isFixed = Boolean(asked.from || asked.to);
  return isFixed
    ? { range: asked.range, from, to: lastMomentBefore(to) }
    : { range: asked.range, from: undefined, to: undefined };
}

/** The range of one bucket, or of those from the first to the last. */
export const bucketRange = (first: string, last: string, bucket: Bucket): RangeSearch => ({
  from: first,
  to: lastMomentBefore(bucketEnd(last, bucket)),
});

export type Bucket = 'hour' | 'day' | 'month';

/** The first moment after a bucket. Days and months are those of UTC. */
export function bucketEnd(at: string, bucket: Bucket): string {
  const start = new Date(at);
  if (bucket === 'hour') start.setUTCHours(start.getUTCHours() + 1);
  if (bucket === 'day') start.setUTCDate(start.getUTCDate() + 1);
  if (bucket === 'month') start.setUTCMonth(start.getUTCMonth() + 1);
  return start.toISOString();
}

const lastMomentBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString();
