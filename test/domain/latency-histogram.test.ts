import fc from 'fast-check';
import { latencyBounds, latencyBuckets, percentile } from '../../src/domain/latency-histogram.ts';

/** As PostgreSQL's `width_bucket` counts. */
const bucketOf = (latency: number): number => latencyBounds.filter((bound) => bound <= latency).length;

const countsOf = (latencies: readonly number[]): number[] =>
  Array.from({ length: latencyBuckets }, (_, bucket) => latencies.filter((one) => bucketOf(one) === bucket).length);

test('a percentile of latencies is in the bucket of the true percentile', () => {
  const latencies = fc.array(fc.integer({ min: 0, max: 299_999 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95, 1), (given, part) => {
      const sorted = given.toSorted((one, other) => one - other);
      const bucket = bucketOf(sorted[Math.ceil(part * sorted.length) - 1]!);

      const measured = percentile(countsOf(given), part)!;

      expect(measured).toBeGreaterThanOrEqual(latencyBounds[bucket - 1] ?? 0);
      expect(measured).toBeLessThanOrEqual(latencyBounds[bucket]!);
    }),
  );
});

test('a percentile without latencies is null, and beyond the last bound it is the last bound', () => {
  expect(percentile(countsOf([]), 0.5)).toBeNull();
  expect(percentile(countsOf([900_000]), 0.5)).toBe(300_000);
});
