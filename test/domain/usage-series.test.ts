import { buckets } from '../../src/domain/time/buckets.ts';
import { seriesGroupings, seriesMetrics, sourceOf } from '../../src/domain/usage-series.ts';

const kinds = seriesMetrics.flatMap((metric) =>
  seriesGroupings.flatMap((group_by) => buckets.map((bucket) => ({ metric, group_by, bucket }))),
);

test('every metric has a series of days without groups', () => {
  const found = kinds.filter((kind) => sourceOf(kind) !== undefined);

  expect(
    found.filter(({ group_by, bucket }) => group_by === 'none' && bucket === 'day').map(({ metric }) => metric),
  ).toEqual([...seriesMetrics]);
});

test.each([
  [{ metric: 'cost_usd', group_by: 'team_id', bucket: 'day' }, 'job_days'],
  [{ metric: 'cost_usd', group_by: 'model_group', bucket: 'day' }, 'call_hours'],
  [{ metric: 'cost_usd', group_by: 'none', bucket: 'hour' }, 'call_hours'],
  [{ metric: 'credits', group_by: 'team_id', bucket: 'month' }, 'ledger_days'],
  [{ metric: 'credits', group_by: 'job_type', bucket: 'month' }, 'job_days'],
  [{ metric: 'calls', group_by: 'user_id', bucket: 'day' }, 'jobs'],
  [{ metric: 'credits', group_by: 'none', bucket: 'hour' }, undefined],
  [{ metric: 'jobs', group_by: 'model_group', bucket: 'day' }, undefined],
  [{ metric: 'revenue_usd', group_by: 'user_id', bucket: 'day' }, undefined],
] as const)('the source of a series %j is %s', (kind, source) => {
  expect(sourceOf(kind)).toBe(source);
});
