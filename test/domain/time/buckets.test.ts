import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type Bucket,
  bucketEnd,
  bucketStart,
  bucketStarts,
  hasWholeHours,
  isTimeZone,
} from '../../../src/domain/time/buckets.ts';

const at = (text: string) => new Date(text);
const buckets = (length: Bucket, from: string, until: string, timeZone: string) =>
  bucketStarts(length, { from: at(from), until: at(until) }, { timeZone, most: 1_000 }).map((start) =>
    start.toISOString(),
  );

test.each([
  ['day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z'],
  ['day', 'America/New_York', '2026-01-01T02:00:00Z', '2025-12-31T05:00:00.000Z'],
  ['day', 'Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
  ['month', 'America/New_York', '2026-01-01T02:00:00Z', '2025-12-01T05:00:00.000Z'],
  ['month', 'UTC', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00.000Z'],
  ['hour', 'Asia/Kolkata', '2026-01-01T10:59:59.999Z', '2026-01-01T10:00:00.000Z'],
  ['day', 'Asia/Kolkata', '2026-01-01T10:00:00Z', '2025-12-31T18:30:00.000Z'],
  // Midnight is skipped there: the day begins at one o'clock.
  ['day', 'Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00.000Z'],
  ['day', 'UTC', '0005-06-07T08:00:00Z', '0005-06-07T00:00:00.000Z'],
] as const)('the %s in %s of %s begins at %s', (length, timeZone, moment, start) => {
  expect(bucketStart(length, at(moment), timeZone).toISOString()).toBe(start);
});

test('days of a zone follow each other without a gap when its clocks change', () => {
  const days = buckets('day', '2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', 'Europe/Berlin');

  expect(days).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
});

test('the first bucket begins with the range, and the next one with the next month', () => {
  const months = buckets('month', '2026-01-15T00:00:00Z', '2026-03-02T00:00:00Z', 'UTC');

  expect(months).toEqual(['2026-01-15T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
});

test('a range with more buckets than permitted returns one bucket more than permitted', () => {
  const range = { from: at('2020-01-01T00:00:00Z'), until: at('2026-01-01T00:00:00Z') };

  expect(bucketStarts('hour', range, { most: 1_000 })).toHaveLength(1_001);
});

test('a moment at which a bucket begins is the end of the bucket before it', () => {
  expect(bucketEnd('day', at('2026-01-02T00:00:00Z')).toISOString()).toBe('2026-01-02T00:00:00.000Z');
  expect(bucketEnd('day', at('2026-01-02T00:00:00.001Z')).toISOString()).toBe('2026-01-03T00:00:00.000Z');
});

test('a zone that is half an hour from UTC has no hours of UTC', () => {
  expect(hasWholeHours('Europe/Berlin', [at('2026-01-01T00:00:00Z'), at('2026-07-01T00:00:00Z')])).toBe(true);
  expect(hasWholeHours('Asia/Kolkata', [at('2026-01-01T00:00:00Z')])).toBe(false);
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Europe/Nowhere', false],
  ['', false],
])('%j is a time zone: %p', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

/** Another mixture of large and small letters for each number. */
const spelled = (zone: string, number: number): string =>
  [...zone].map((letter, place) => ((number >> place) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

test('14,000 spellings of time zones are the same zones, and take less than 150 MB', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const day = new Date('2026-07-01T12:00:00Z');
  collect();
  const before = process.memoryUsage().rss;

  for (let number = 0; number < 7_000; number += 1) {
    for (const [zone, start] of [
      ['europe/berlin', '2026-06-30T22:00:00.000Z'],
      ['america/new_york', '2026-07-01T04:00:00.000Z'],
    ] as const) {
      expect(isTimeZone(spelled(zone, number))).toBe(true);
      expect(bucketStart('day', day, spelled(zone, number)).toISOString()).toBe(start);
    }
    if (number % 1_000 === 0) collect();
  }
  collect();

  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
});
