import { exactUsd, shortUsd } from '../../../console/src/format/money.ts';
import { formatBytes, formatCount } from '../../../console/src/format/number.ts';
import { formatAge, formatDuration, formatExact, formatMoment } from '../../../console/src/format/time.ts';
import { inputToIso, isoToInput } from '../../../console/src/format/zoned-input.ts';

test.each([
  [0, '$0'],
  [1e-9, '<$0.000001'],
  [0.0000459, '$0.000046'],
  [0.0421, '$0.042'],
  [12.345, '$12.35'],
  [1234.5, '$1,234.50'],
  [123456.7, '$123,457'],
  [-3.2, '−$3.20'],
])('%p USD is written short as %p', (usd, text) => {
  expect(shortUsd(usd)).toBe(text);
});

test('an amount is written exactly with all its digits and without an exponent', () => {
  expect(exactUsd(1e-7)).toBe('$0.0000001');
  expect(exactUsd(0.123456789012345)).toBe('$0.123456789012345');
});

test.each([
  [340, '340 ms'],
  [4_200, '4.20 s'],
  [42_000, '42.0 s'],
  [192_000, '3 min 12 s'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('a duration of %p ms is %p', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a moment is written in the chosen zone, with its offset where it is exact', () => {
  const iso = '2026-07-01T22:30:05.123Z';

  expect(formatMoment(iso, 'Europe/Berlin', new Date('2026-11-01T00:00:00Z'))).toBe('2 Jul 00:30:05');
  expect(formatMoment(iso, 'UTC', new Date('2027-01-01T00:00:00Z'))).toBe('1 Jul 2026 22:30:05');
  expect(formatExact(iso, 'Europe/Berlin')).toBe('2026-07-02T00:30:05.123+02:00');
  expect(formatExact(iso, 'UTC')).toBe('2026-07-01T22:30:05.123+00:00');
});

test('a time that is entered in a zone is the moment that this zone shows as that time, on both sides of a clock change', () => {
  for (const input of ['2026-03-29T01:30', '2026-03-29T03:30', '2026-10-25T04:00', '2026-07-01T12:00'])
    expect(isoToInput(inputToIso(input, 'Europe/Berlin'), 'Europe/Berlin')).toBe(input);
  expect(inputToIso('2026-07-01T12:00', 'America/New_York')).toBe('2026-07-01T16:00:00.000Z');
});

test('ages, counts and sizes are written with their units', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');

  expect(formatAge('2026-01-01T23:59:58Z', now)).toBe('now');
  expect(formatAge('2026-01-01T21:00:00Z', now)).toBe('3 h');
  expect(formatCount(1, 'job')).toBe('1 job');
  expect(formatCount(1_200, 'job')).toBe('1,200 jobs');
  expect(formatBytes(262_144)).toBe('256 KB');
});
