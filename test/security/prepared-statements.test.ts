import { figures } from '../faults/support/figures.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { sized } from '../support/sizes.ts';
import { countPrepared, type PreparedStatements } from './support/count-prepared.ts';
import { startFlood } from './support/flood.ts';
import { installationForTests } from './support/installation.ts';
import { type Program, readMemory } from './support/program.ts';

const installation = installationForTests({ worker: false, api: false });
let prepared: PreparedStatements;
let api: Program;
let team: GivenTeam;
const behindLink = {
  get current() {
    return { ...installation.current, url: api.url };
  },
};

beforeAll(async () => {
  prepared = await countPrepared(installation.current.databaseUrl);
  api = await installation.current.startApi({ DATABASE_URL: prepared.url, DATABASE_POOL_SIZE: '2' });
  team = await givenIn(behindLink).team();
});

afterAll(() => prepared?.close());

const filters = [
  'status=completed',
  'job_type=a',
  'user_id=b',
  'external_task_id=c',
  'start_date=2026-01-01',
  'end_date=2026-12-31',
];
const orders = ['created_at', 'started_at', 'completed_at', 'status', 'job_type'].flatMap((sort) =>
  ['asc', 'desc'].map((order) => `sort_by=${sort}&order=${order}`),
);

/** Each subset of the filters with each order, for a team. An admin has two more filters. */
const combinations = orders.flatMap((order) =>
  Array.from({ length: 2 ** filters.length }, (_, bits) =>
    [order, ...filters.filter((_filter, n) => bits & (2 ** n))].join('&'),
  ),
);

test('lists with every combination of filters and orders leave less than 100 prepared statements on a connection', async () => {
  const paths = combinations.map((query) => `/api/jobs?limit=1&${query}`);
  const headers = { authorization: `Bearer ${team.key}` };
  const requests = paths.map((path) => ({ method: 'GET', path, headers }));
  const before = await backendMemory();

  const count = paths.length * sized({ short: 1, full: 20 });
  const { statuses } = await (await startFlood({ url: api.url, requests, atOnce: 8, count, seconds: 240 })).ended;

  expect(statuses).toEqual({ 200: count });
  figures('prepared statements', {
    [`most on a connection after ${count} lists`]: prepared.most(),
    'anonymous memory of the backends, before and after': `${before}, ${await backendMemory()} MB`,
  });
  expect(prepared.most()).toBeLessThan(100);
});

test('a list with a rare combination of filters has the matching jobs', async () => {
  const sql = `insert into jobs (job_id, team_id, organization_id, job_type, user_id)
    select gen_random_uuid(), $1, $2, 'type-' || n % 3, 'user-' || n % 2 from generate_series(1, 12) n`;
  await installation.current.pool.query(sql, [team.teamId, team.organizationId]);

  const query = '/api/jobs?user_id=user-1&job_type=type-2&sort_by=job_type&order=asc&start_date=2020-01-01';
  const { total, jobs } = expectOk(await as(behindLink, team).get(query));

  expect(total).toBe(2);
  expect(jobs.map((job: { user_id: string; job_type: string }) => [job.user_id, job.job_type])).toEqual(
    Array(2).fill(['user-1', 'type-2']),
  );
});

async function backendMemory(): Promise<number> {
  const { rows } = await installation.current.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const sizes = rows.map(({ pid }) => {
    try {
      return readMemory(pid, 'RssAnon');
    } catch {
      return 0;
    }
  });
  return Math.round(sizes.reduce((sum, one) => sum + one, 0));
}
