import type { RangeSearch } from './time-range.ts';

/** The range that an answer has summed, for a link to a list of the same: it may be longer than the one that was requested. */
export const linkedRange = ({ from, to }: { from: string; to: string }): RangeSearch => ({
  range: undefined,
  from,
  to: lastMomentBefore(to),
});

/** The range of one bucket, or of those from the first to the last. */
export const bucketRange = (first: string, last: string, bucket: Bucket): RangeSearch => ({
  range: undefined,
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
