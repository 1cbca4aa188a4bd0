import { jobFilters } from '../../../console/src/components/jobs/job-filters.ts';
import { readJobList, toFilters } from '../../../console/src/components/jobs/job-search.ts';
import { activeFilters, noFilters } from '../../../console/src/components/ui/list/filters.ts';
import { parseSearch, stringifySearch } from '../../../console/src/url/search-text.ts';
import { readRange, toMoments } from '../../../console/src/url/time-range.ts';

test('the filters of a URL are read and written alike, and those that are not understood are left out', () => {
  const url = '?status=failed&status=cancelled&team=a%26b&metadata=key%3Dvalue&range=24h';

  const search = { ...readJobList(parseSearch(url)), ...readRange(parseSearch(url)) };

  expect(stringifySearch(search)).toBe(url.replace('status=failed&status=cancelled', 'status=failed&status=cancelled'));
  expect(readJobList(parseSearch('?status=unknown&metadata=nothing&minCost=much&charged=maybe'))).toEqual(
    noFilters(jobFilters),
  );
});

test('the request of a list has the names of the API, with a metadata filter for each pair', () => {
  const search = readJobList(parseSearch('?team=t1&failedCalls=true&metadata=a=b=c&external=e'));

  expect(toFilters({ ...search, from: '2026-01-01T00:00:00Z' })).toMatchObject({
    start_date: '2026-01-01T00:00:00.000Z',
    team_id: 't1',
    has_failed_calls: 'true',
    external_task_id: 'e',
    'metadata.a': 'b=c',
  });
});

test('each active filter is dropped by itself: of several states only the one that is dropped goes', () => {
  const search = { status: ['failed', 'in_progress'], team: 't1', charged: 'true', minDuration: '1500' };

  const filters = activeFilters(jobFilters, search);

  expect(filters.map(({ label, value }) => [label, value])).toEqual([
    ['Status', 'Failed'],
    ['Status', 'In progress'],
    ['Team', 't1'],
    ['Charged', 'Yes'],
    ['Duration from', '1.50 s'],
  ]);
  expect({ ...search, ...filters[0]!.without }).toEqual({ ...search, status: ['in_progress'] });
  expect({ ...search, ...filters[2]!.without }).toEqual({ ...search, team: undefined });
});

test('a range up to now begins with a day of UTC, the present one is its last, and a fixed range takes its place', () => {
  const now = Date.parse('2026-01-02T15:00:00Z');

  expect(toMoments({ range: 'today' }, now)).toEqual({ from: '2026-01-02T00:00:00.000Z' });
  expect(toMoments({ range: '24h' }, now)).toEqual({ from: '2026-01-01T00:00:00.000Z' });
  expect(toMoments({ range: '7d' }, now)).toEqual({ from: '2025-12-27T00:00:00.000Z' });
  expect(toMoments({}, now)).toEqual(toMoments({ range: '7d' }, now));
  expect(toMoments(readRange({ range: '24h', from: '2025-12-01', to: 'never' }), now)).toEqual({
    from: '2025-12-01T00:00:00.000Z',
  });
  expect(toMoments({ to: '2025-12-01' }, now)).toEqual({ to: '2025-12-01T23:59:59.999Z' });
});
