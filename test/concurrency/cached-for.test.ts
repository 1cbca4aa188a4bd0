import { cachedByKey, cachedFor } from '../../src/concurrency/cached-for.ts';
import { until } from '../support/until.ts';

test('a cached read is executed once for all callers within its time, and again after it', async () => {
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

test('a read that is cached by key is executed once for all callers with the key, and again after its time', async () => {
  const read: string[] = [];
  const readOf = (key: string) => async () => read.push(key);
  const long = cachedByKey(600_000);
  const short = cachedByKey(1);

  await Promise.all(['one', 'other', 'one'].map((key) => long(key, readOf(key))));
  await long('one', readOf('one'));
  await short('brief', readOf('brief'));
  await until(async () => (await short('brief', readOf('brief'))) > 3);

  expect(read.slice(0, 4)).toEqual(['one', 'other', 'brief', 'brief']);
});

test('a cache by key keeps the last 1,000 keys, however many are requested', async () => {
  let reads = 0;
  const cached = cachedByKey(600_000);
  const read = async () => (reads += 1);

  for (let key = 0; key < 5_000; key += 1) await cached(`key ${key}`, read);
  await cached('key 4999', read);
  await cached('key 4000', read);
  expect(reads).toBe(5_000);
  await cached('key 3999', read);

  expect(reads).toBe(5_001);
});
