/**
 * Upper bounds in milliseconds, exclusive; a last bucket has what is longer. Up to two minutes each bound is at most twice the one
 * before, so a percentile is wrong by less than a factor of two. Stored sums count by these: a change needs another column.
 */
export const latencyBounds = [
  10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000,
  30_000, 60_000, 120_000, 300_000,
] as const;

export const latencyBuckets = latencyBounds.length + 1;

/**
 * The value that this part (0 to 1) of the counted latencies does not exceed, in milliseconds. Within its bucket they count as spread
 * evenly; in the last one, which has no end, it is the beginning. Null without any.
 */
export function percentile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let remaining = part * total;
  for (const [bucket, count] of counts.entries()) {
    const from = latencyBounds[bucket - 1] ?? 0;
    const until = latencyBounds[bucket] ?? from;
    if (count > 0 && remaining <= count) return Math.round(from + ((until - from) * remaining) / count);
    remaining -= count;
  }
  return latencyBounds.at(-1)!;
}
