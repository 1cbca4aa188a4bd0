import type { UsageSeries } from '../../api/types.ts';
import { bucketEnd } from '../../url/answered-range.ts';

/** Why a bucket of a series is not a whole one: it may still change, or the range begins or ends in it. */
export function partialWord(series: UsageSeries, index: number): 'so far' | 'partial' | undefined {
  const { points, bucket, from, to, complete_until } = series;
  const at = points[index]!.at;
  const end = points[index + 1]?.at ?? bucketEnd(at, bucket);
  if (end > complete_until) return 'so far';
  return at < from || end > to ? 'partial' : undefined;
}
