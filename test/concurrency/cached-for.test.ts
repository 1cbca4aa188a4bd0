import { cachedFor } from '../../src/concurrency/cached-for.ts';
import { until } from '../support/until.ts';

test('a cached read is executed once for all who ask within its time, and again after it', async () => {
  let reads = 0;
  const long = cachedFor(600_000, async () => (reads += 1));
  expect(await Promise.all([long(), long(), long()])).toEqual([1, 1, 1]);
  expect(await long()).toBe(1);

  reads = 0;
  const short = cachedFor(1, async () => (reads += 1));
  await short();
  await until(async () => (await short()) > 1);
});

test('the failure of a cached read is cached too', async () => {
  let reads = 0;
  const read = cachedFor(600_000, async () => {
    reads += 1;
    throw new Error('away');
  });

  await expect(read()).rejects.toThrow('away');
  await expect(read()).rejects.toThrow('away');

  expect(reads).toBe(1);
});
