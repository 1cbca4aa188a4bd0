import type { JobFilter } from '../../src/db/jobs/job-filter.ts';
import { readHistogram } from '../../src/db/jobs/read-job-histogram.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 2, stallTimeoutMs: 5_000 });
beforeAll(async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('one', 'one');
    insert into teams (team_id, proxy_team_id, organization_id) values ('a', 'a', 'one'), ('b', 'b', 'one');
    insert into jobs (job_id, team_id, organization_id, job_type, user_id, status, created_at, completed_at)
    select gen_random_uuid(), team_id, 'one', 'type-' || n % 2, 'ann', state, at, case when state in ('completed', 'failed', 'cancelled') then at end
      from teams, generate_series(1, 60) n, lateral (select timestamptz '2026-03-01T00:00:00Z' + n * interval '2 hours' as at) moment,
           lateral (select (array['pending', 'in_progress', 'completed', 'failed', 'cancelled'])[1 + n % 5] as state) made;
    insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, failed_jobs, cancelled_jobs)
    select team_id, organization_id, (created_at at time zone 'utc')::date, job_type, count(*) filter (where status = 'completed'),
           count(*) filter (where status = 'failed'), count(*) filter (where status = 'cancelled')
      from jobs where completed_at is not null group by 1, 2, 3, 4`);
});

const range = { created_from: new Date('2026-03-01T00:00:00Z'), created_before: new Date('2026-03-05T00:00:00Z') };

const counted = async (filter: JobFilter, bucket: 'hour' | 'day') => {
  const { rows } = await readHistogram(database, { ...range, ...filter }, { bucket });
  const days = new Map<string, number>();
  for (const { at, status, jobs } of rows) {
    const key = `${at.toISOString().slice(0, 10)} ${status}`;
    days.set(key, (days.get(key) ?? 0) + jobs);
  }
  return [...days].sort();
};

test.each<JobFilter>([
  {},
  { team_id: 'a' },
  { organization_id: 'one', job_type: 'type-1' },
  { status: 'failed' },
  { status: ['completed', 'pending'] },
])('the sums of days, of hours and of jobs one by one agree for the filter %j', async (filter) => {
  const byDay = await counted(filter, 'day');

  expect(byDay.length).toBeGreaterThan(0);
  expect(await counted(filter, 'hour')).toEqual(byDay);
  // A filter that the sums of days do not have.
  expect(await counted({ ...filter, user_id: 'ann' }, 'day')).toEqual(byDay);
});

test('a histogram over a bounded number of jobs returns where it stopped (spec 19.23)', async () => {
  const { rows, stoppedAt } = await readHistogram(
    database,
    { ...range, team_id: 'a' },
    { bucket: 'hour', examined: 10 },
  );

  expect(rows.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(10);
  expect(stoppedAt).toEqual(new Date('2026-03-04T04:00:00Z'));
});
