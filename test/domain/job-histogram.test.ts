import { chooseRange, toPoints } from '../../src/domain/job-histogram.ts';

const now = new Date('2026-03-10T12:34:56.789Z');
const day = (text: string) => new Date(`${text}T00:00:00Z`);

test.each([
  ['three days', day('2026-03-07'), day('2026-03-10'), 'auto', 'hour', 72],
  ['four days', day('2026-03-06'), day('2026-03-10'), 'auto', 'day', 4],
  ['no range', null, null, 'auto', 'day', 31],
  ['a part of an hour', new Date('2026-03-07T10:10:00Z'), new Date('2026-03-07T10:20:00Z'), 'auto', 'hour', 1],
  ['a range after now', day('2027-03-06'), null, 'day', 'day', 1],
] as const)('the buckets of %s cover the whole range', (_, from, before, wanted, bucket, length) => {
  const range = chooseRange({ from, before, now, wanted })!;

  expect(range.bucket).toBe(bucket);
  expect(toPoints(range, { rows: [], stoppedAt: null })).toHaveLength(length);
});

test('a range with more buckets than permitted is undefined', () => {
  expect(chooseRange({ from: day('2020-01-01'), before: null, now, wanted: 'auto' })).toBeUndefined();
  expect(chooseRange({ from: day('2026-01-01'), before: null, now, wanted: 'hour' })).toBeUndefined();
});

test('jobs are counted in the bucket of their creation, and buckets before a stop are left out', () => {
  const range = chooseRange({ from: day('2026-03-07'), before: day('2026-03-10'), now, wanted: 'day' })!;
  const rows = [
    { at: day('2026-03-08'), status: 'pending', jobs: 1 },
    { at: day('2026-03-08'), status: 'in_progress', jobs: 2 },
    { at: day('2026-03-09'), status: 'failed', jobs: 3 },
  ] as const;

  const points = toPoints(range, { rows, stoppedAt: new Date('2026-03-08T15:00:00Z') });

  expect(points).toEqual([
    { at: '2026-03-08T00:00:00.000Z', completed: 0, failed: 0, cancelled: 0, open: 3 },
    { at: '2026-03-09T00:00:00.000Z', completed: 0, failed: 3, cancelled: 0, open: 0 },
  ]);
});
