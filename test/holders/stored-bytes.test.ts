import { Refusal } from '../../src/errors.ts';
import { createStoredBytes, storageOfMetadata } from '../../src/holders/stored-bytes.ts';

const dayMs = 86_400_000;

test('a team stores so many bytes in a UTC day, beside what other teams store, and as many again in the next day', () => {
  let now = 20 * dayMs + 1;
  const stored = createStoredBytes(100, () => now);

  expect([stored.take('a', 60), stored.take('a', 50), stored.take('a', 40), stored.take('b', 100)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  now = 21 * dayMs - 1;
  expect(stored.take('a', 1)).toBe(false);
  now = 21 * dayMs;
  expect(stored.take('a', 100)).toBe(true);
});

test('what has to be stored in any case counts beyond the limit', () => {
  const stored = createStoredBytes(100);

  stored.add('a', 150);

  expect([stored.take('a', 1), stored.take('a', 0)]).toEqual([false, true]);
});

test('the refusal names the setting and lasts until the day ends', () => {
  const stored = createStoredBytes(100, () => 21 * dayMs - 5_000);

  const refusal = (() => {
    try {
      stored.require('a', 101);
    } catch (error) {
      return error as Refusal;
    }
    throw new Error('not refused');
  })();

  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.message).toBe('Rate limit exceeded: STORED_BYTES_PER_DAY (100)');
  expect(refusal.limit!.resetsAt - Date.now()).toBeLessThanOrEqual(5_000);
});

test.each([
  [null, 0],
  [{ text: 'x'.repeat(400) }, 0],
  [{ text: 'ä'.repeat(500) }, 4 * 1_011],
])('metadata counts four times, and not at all if it is short', (metadata, bytes) => {
  expect(storageOfMetadata(metadata)).toBe(bytes);
});
