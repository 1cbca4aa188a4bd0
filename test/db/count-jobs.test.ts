import { countByDay } from '../../src/db/jobs/count-jobs.ts';
import { listJobsByOffset } from '../../src/db/jobs/list-jobs-by-offset.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 2, stallTimeoutMs: 5_000 });
beforeAll(async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('one', 'one'), ('two', 'two');
    insert into teams (team_id, proxy_team_id, organization_id) values ('a', 'a', 'one'), ('b', 'b', 'one'), ('c', 'c', 'two');
    insert into jobs (job_id, team_id, organization_id, job_type, status, created_at, completed_at)
    select gen_random_uuid(), team_id, organization_id, 'type-' || n % 2, end_or_not, at, case when end_or_not in ('completed', 'failed', 'cancelled') then at end
      from teams, generate_series(1, 60) n, lateral (select timestamptz '2026-03-01T00:00:00Z' + n * interval '2 hours' as at) moment,
           lateral (select (array['pending', 'in_progress', 'completed', 'failed', 'cancelled'])[1 + n % 5] as end_or_not) state;
    insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, failed_jobs, cancelled_jobs)
    select team_id, organization_id, (created_at at time zone 'utc')::date, job_type, count(*) filter (where status = 'completed'),
           count(*) filter (where status = 'failed'), count(*) filter (where status = 'cancelled')
      from jobs where completed_at is not null group by 1, 2, 3, 4`);
});

const page = { sort_by: 'created_at', order: 'desc', limit: 1, offset: 0 } as const;

const noFilter = {
  team_id: null,
  organization_id: null,
  job_type: null,
  status: null,
  created_from: null,
  created_before: null,
};

const counted = statement(
  'counted_one_by_one',
  `select count(*)::int as total from jobs
    where team_id = coalesce(:team_id, team_id) and organization_id = coalesce(:organization_id, organization_id) and job_type = coalesce(:job_type, job_type)
      and status = coalesce(:status, status) and created_at >= coalesce(:created_from, created_at) and created_at < coalesce(:created_before::timestamptz, 'infinity')`,
);

test.each([
  {},
  { team_id: 'a' },
  { organization_id: 'one' },
  { organization_id: 'one', status: 'failed' as const },
  { team_id: 'a', status: 'pending' as const },
  { team_id: 'b', job_type: 'type-1', status: 'cancelled' as const },
  { team_id: 'a', created_from: new Date('2026-03-02T00:00:00Z') },
  { team_id: 'c', created_from: new Date('2026-03-02T00:00:00Z'), created_before: new Date('2026-03-04T00:00:00Z') },
  { created_before: new Date('2026-03-03T00:00:00Z'), status: 'in_progress' as const },
])('a total from the sums of days equals the number of jobs for the filter %j', async (filter) => {
  const [row] = await database.query<{ total: number }>(counted, { ...noFilter, ...filter });

  expect(row!.total).toBeGreaterThan(0);
  expect(countByDay(filter)).toBeDefined();
  expect((await listJobsByOffset(database, filter, page)).total).toBe(row!.total);
});

test('jobs from a time within a day are counted one by one', async () => {
  const filter = { team_id: 'a', created_from: new Date('2026-03-02T09:30:00Z') };

  expect(countByDay(filter)).toBeUndefined();
  expect((await listJobsByOffset(database, filter, page)).total).toBe(44);
});
