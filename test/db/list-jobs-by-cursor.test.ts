import type { ListPosition } from '../../src/contracts/cursor.ts';
import type { JobFilter } from '../../src/db/jobs/job-filter.ts';
import { listJobsByCursor } from '../../src/db/jobs/list-jobs-by-cursor.ts';
import { listJobsByOffset } from '../../src/db/jobs/list-jobs-by-offset.ts';
import { type JobSortField, jobSortFields } from '../../src/domain/job-state.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 2, stallTimeoutMs: 5_000 });

const jobs = 120;
const keyId = 'c2f1d6a8-4b0e-4f57-9a35-6d8e1f07b2c4';
beforeAll(async () => {
  // Many jobs have the same moments, types and references, so that every order has ties.
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('one', 'one'), ('two', 'two');
    insert into teams (team_id, proxy_team_id, organization_id) values ('a', 'a', 'one'), ('b', 'b', 'one'), ('c', 'c', 'two');
    insert into jobs (job_id, team_id, organization_id, job_type, user_id, external_task_id, status, metadata, model_groups_used,
                      created_at, started_at, completed_at, failed_calls, total_calls, total_cost_usd, credit_applied, credits_charged, key_id)
    select gen_random_uuid(), team_id, organization_id, 'type-' || n % 3, case n % 5 when 0 then 'ann' end,
           case when n % 4 > 0 then 'task-' || n % 7 end, state, jsonb_build_object('place', (n % 6)::text, 'number', n % 2),
           case n % 3 when 0 then array['smart'] else array['fast', 'cheap'] end,
           at, case when n % 8 > 0 then at + interval '1 second' end,
           case when state in ('completed', 'failed', 'cancelled') then at + (n % 4) * interval '1 minute' end,
           failed, 2, n * 0.01, charged, charged::int, case n % 4 when 1 then '${keyId}'::uuid end
      from generate_series(1, ${jobs}) n,
           lateral (select (array['a', 'b', 'c'])[1 + n % 3] as team_id, (array['one', 'one', 'two'])[1 + n % 3] as organization_id,
                           timestamptz '2026-03-01T00:00:00Z' + (n / 6) * interval '1 hour' as at,
                           (array['pending', 'in_progress', 'completed', 'completed', 'completed', 'failed', 'cancelled'])[1 + n % 7] as state,
                           case n % 11 when 0 then 1 else 0 end as failed) made,
           lateral (select state = 'completed' and failed = 0 and n % 13 > 0 as charged) priced`);
});

/** All pages one after the other, until there is no next one. */
async function walkThrough(
  filter: JobFilter,
  page: Pick<Parameters<typeof listJobsByCursor>[2], 'sort_by' | 'order' | 'limit' | 'examined' | 'budgetMs'>,
) {
  const pages: string[][] = [];
  let cursor: ListPosition | null = null;
  do {
    const { rows, next }: Awaited<ReturnType<typeof listJobsByCursor>> = await listJobsByCursor(database, filter, {
      ...page,
      cursor,
    });
    pages.push(rows.map(({ job_id }) => job_id));
    cursor = next;
    if (pages.length > 10 * jobs) throw new Error('the list has no end');
  } while (cursor);
  return pages;
}

async function listAll(filter: JobFilter, sort_by: JobSortField, order: 'asc' | 'desc') {
  const { rows } = await listJobsByOffset(database, filter, { sort_by, order, limit: 1_000, offset: 0 });
  return rows.map(({ job_id }) => job_id);
}

const filters: JobFilter[] = [
  {},
  { team_id: 'a' },
  { organization_id: 'one' },
  { status: 'failed' },
  { status: 'pending' },
  { status: ['failed', 'in_progress'] },
  { status: ['completed', 'cancelled'], team_id: 'b' },
  { job_type: 'type-1' },
  { job_type: 'type-1', organization_id: 'one', charged: false },
  { user_id: 'ann' },
  { key_id: keyId },
  { key_id: keyId, team_id: 'a', status: 'pending' },
  { external_task_id: 'task-3', key_id: keyId, team_id: 'c' },
  { external_task_id: 'task-3' },
  { external_task_id: 'task-3', team_id: 'c' },
  { created_from: new Date('2026-03-01T06:00:00Z'), created_before: new Date('2026-03-02T03:00:00Z') },
  { q: 'task-' },
  { q: 'TASK-' },
  { charged: true },
  { charged: false },
  { charged: false, team_id: 'a' },
  { charged: false, organization_id: 'two' },
  { has_failed_calls: true },
  { has_failed_calls: false, team_id: 'b' },
  { metadata: { place: '4' } },
  { metadata: { place: '4', number: '0' } },
  { model_group: 'smart' },
  { min_cost_usd: 0.5, max_cost_usd: 1.25 },
  { min_duration_ms: 60_000, max_duration_ms: 120_000 },
  { status: 'completed', charged: false, has_failed_calls: true, min_cost_usd: 0.1 },
];

const orders = jobSortFields.flatMap((sort_by) => (['asc', 'desc'] as const).map((order) => ({ sort_by, order })));

test.each(orders)(
  'the pages by cursor of every filter, sorted by $sort_by $order, are together the list by offset (spec 19.21)',
  async ({ sort_by, order }) => {
    for (const filter of filters) {
      const expected = await listAll(filter, sort_by, order);
      for (const page of [{ limit: 25 }, { limit: 50, examined: 30, budgetMs: 0 }])
        expect((await walkThrough(filter, { sort_by, order, ...page })).flat()).toEqual(expected);
    }
  },
);

test('a page by cursor whose time is over has read a bounded number of jobs, and may be empty although others follow (spec 19.21, spec 19.22)', async () => {
  const filter = { metadata: { place: '4' }, user_id: 'ann' };

  const pages = await walkThrough(filter, {
    sort_by: 'created_at',
    order: 'desc',
    limit: 100,
    examined: 10,
    budgetMs: 0,
  });

  expect(pages).toHaveLength(jobs / 10 + 1);
  expect(pages.filter((page) => page.length === 0).length).toBeGreaterThan(0);
  expect(pages.flat()).toEqual(await listAll(filter, 'created_at', 'desc'));
});

test('the beginning of an id finds its job', async () => {
  const [first] = await listAll({}, 'created_at', 'desc');

  expect(
    await walkThrough({ q: first!.slice(0, 9).toUpperCase() }, { sort_by: 'started_at', order: 'asc', limit: 5 }),
  ).toEqual([[first]]);
});

test('a job that is created while a list is read is on no later page (spec 19.21)', async () => {
  const before = await listAll({ team_id: 'a' }, 'created_at', 'desc');
  const page = { sort_by: 'created_at', order: 'desc', limit: 10 } as const;

  const first = await listJobsByCursor(database, { team_id: 'a' }, { ...page, cursor: null });
  await database.pool.query(
    "insert into jobs (job_id, team_id, organization_id, job_type) values (gen_random_uuid(), 'a', 'one', 'late')",
  );
  const second = await listJobsByCursor(database, { team_id: 'a' }, { ...page, cursor: first.next });

  expect([...first.rows, ...second.rows].map(({ job_id }) => job_id)).toEqual(before.slice(0, 20));
  await database.pool.query("delete from jobs where job_type = 'late'");
});

test('the next position of a page by offset continues by cursor', async () => {
  for (const { sort_by, order } of orders) {
    const all = await listAll({}, sort_by, order);
    const { rows, next } = await listJobsByOffset(database, {}, { sort_by, order, limit: 30, offset: 40 });
    const following = await listJobsByCursor(database, {}, { sort_by, order, limit: 30, cursor: next });

    expect([...rows, ...following.rows].map(({ job_id }) => job_id)).toEqual(all.slice(40, 100));
  }
});

test('a cursor of another order is refused (spec 19.21)', async () => {
  const { next } = await listJobsByCursor(
    database,
    {},
    { sort_by: 'created_at', order: 'desc', limit: 5, cursor: null },
  );
  const read = (order: 'asc' | 'desc', cursor: ListPosition) =>
    listJobsByCursor(database, {}, { sort_by: 'created_at', order, limit: 5, cursor });

  await expect(read('asc', next!)).rejects.toThrow('Invalid request');
  for (const values of [
    ['2026-01-01T00:00:00Z'],
    ['0000-01-01T00:00:00Z', next!.values[1]!],
    ['yesterday', next!.values[1]!],
    [next!.values[0]!, 'none'],
    [null, null],
  ])
    await expect(read('desc', { ...next!, values })).rejects.toThrow('Invalid request');
});
