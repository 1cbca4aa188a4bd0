import type { UsageSeries } from '../../../console/src/api/types.ts';
import { stackOf } from '../../../console/src/components/ui/charts/stack-of.ts';
import { countedUntil, isCountedAtAll } from '../../../console/src/format/counted-until.ts';
import { toListOf } from '../../../console/src/pages/usage/list-of.ts';
import { partialWord } from '../../../console/src/pages/usage/partial-word.ts';
import { toBars } from '../../../console/src/pages/usage/series-parts.ts';
import { toChoice } from '../../../console/src/pages/usage/usage-choices.ts';
import { bucketRange, linkedRange } from '../../../console/src/url/answered-range.ts';

const series: UsageSeries = {
  metric: 'calls',
  group_by: 'team_id',
  bucket: 'day',
  from: '2026-11-01T12:00:00.000Z',
  to: '2026-11-05T00:00:00.000Z',
  tz: 'UTC',
  clock: 'call_finished',
  complete_until: '2026-11-03T08:00:00.000Z',
  groups: [
    { key: 'a', label: 'A', total: 5 },
    { key: 'b', label: 'B', total: 2 },
  ],
  other: null,
  total: 7,
  points: [
    { at: '2026-11-01T00:00:00.000Z', total: 3, values: [2, 1], other: null },
    { at: '2026-11-02T00:00:00.000Z', total: 0, values: [0, 0], other: null },
    { at: '2026-11-03T00:00:00.000Z', total: 4, values: [3, 1], other: null },
    { at: '2026-11-04T00:00:00.000Z', total: null, values: [null, null], other: null },
  ],
};

test('the link of a figure has the range that was summed, whose end is not part of it', () => {
  const fixed = { from: '2026-11-01T10:00:00Z', to: '2026-11-04T12:00:00Z' };
  expect(linkedRange({ ...series, asked: fixed })).toEqual({ from: series.from, to: '2026-11-04T23:59:59.999Z' });
  expect(linkedRange({ ...series, asked: { range: '30d' } })).toEqual({ range: '30d' });
  expect(linkedRange({ ...series, asked: {} })).toEqual({});
});

test('the range of buckets reaches to the last moment of the last one, a month as long as it is', () => {
  const range = bucketRange('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', 'month');

  expect(range).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-28T23:59:59.999Z',
  });
});

test('a bucket in which the range begins is labelled "partial", and an incomplete one "so far"', () => {
  const words = series.points.map((_, index) => partialWord(series, index));

  expect(words).toEqual(['partial', undefined, 'so far', 'so far']);
});

test('calls of a range are counted until the watermark where it is before the end of the range, else all of them', () => {
  expect(countedUntil(series)).toBe(series.complete_until);
  expect(countedUntil({ ...series, complete_until: series.to })).toBeUndefined();
  expect([series.complete_until, new Date(0).toISOString()].map(isCountedAtAll)).toEqual([true, false]);
});

test('the groups of a bar stand above each other, what is below zero below the axis, and what is zero or unknown nowhere', () => {
  expect(stackOf([3, 1, 0, null])).toEqual([
    { place: 0, from: 0, to: 3 },
    { place: 1, from: 3, to: 4 },
  ]);
  expect(stackOf([2, -1, 1, -2])).toEqual([
    { place: 0, from: 0, to: 2 },
    { place: 1, from: 0, to: -1 },
    { place: 2, from: 2, to: 3 },
    { place: 3, from: -1, to: -3 },
  ]);
});

test('the bars of a series have its groups and the others with a colour each, or without groups the total', () => {
  const other = {
    ...series,
    other: { total: 4, count: 2 },
    points: series.points.map((one) => ({ ...one, other: 1 })),
  };

  const { groups, values } = toBars(other);

  expect(groups.map(({ label, color }) => [label, color])).toEqual([
    ['A', 'var(--group-1)'],
    ['B', 'var(--group-2)'],
    ['Other', 'var(--group-other)'],
  ]);
  expect(values[0]).toEqual([2, 1, 1]);
  expect(toBars({ ...series, group_by: 'none' }).values).toEqual([[3], [0], [4], [null]]);
});

test('the part of a series leads to the list whose sum it is, and calls to none', () => {
  const ofJobs: UsageSeries = { ...series, metric: 'jobs', clock: 'job_created' };

  expect(toListOf(ofJobs, 'a')).toEqual({ to: '/jobs', search: { team: 'a' } });
  expect(toListOf({ ...ofJobs, group_by: 'none' }, undefined)).toEqual({ to: '/jobs', search: {} });
  expect(toListOf({ ...ofJobs, metric: 'credits', clock: 'ledger' }, 'a')).toEqual({
    to: '/ledger',
    search: { team: 'a' },
  });
  expect(toListOf(series, 'a')).toBeUndefined();
});

test('a metric without the groups or buckets of the URL is shown in groups and buckets that it has', () => {
  const search = { metric: 'credits', by: 'model_group', bucket: 'hour', range: '7d' } as const;

  expect(toChoice(search, false)).toEqual({ metric: 'credits', by: 'none', bucket: 'day' });
  expect(toChoice({ metric: 'calls', by: 'model_group', range: '24h' }, false).bucket).toBe('hour');
  expect(toChoice({ metric: 'revenue_usd', by: 'team_id' }, true)).toMatchObject({ metric: 'jobs', by: 'none' });
});
