import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/connection/database.ts';
import { readSeries, type SeriesQuestion } from '../../src/db/figures/read-series.ts';
import { bind, type Statement, type Values } from '../../src/db/sql/statement.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { givenTeamWithJob } from '../support/recorded-calls.ts';

const { database } = await databaseForTests({ poolSize: 1 });

const users = 3_000;
let team: string;
beforeAll(async () => {
  ({ team } = await givenTeamWithJob(database.pool));
  // A job of each user, and one without a user.
  await database.pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, user_id, status, total_calls)
     select gen_random_uuid(), $1, $1, 'report', case when n > 0 then 'user-' || n end, 'in_progress', n from generate_series(0, ${users}) n`,
    [team],
  );
  await database.pool.query('analyze jobs');
});

const question = (metric: SeriesQuestion['metric']): SeriesQuestion => {
  const from = new Date(Date.now() - 86_400_000);
  return {
    team_id: team,
    organization_id: null,
    from,
    until: new Date(Date.now() + 86_400_000),
    source: 'jobs',
    metric,
    group_by: 'user_id',
    starts: [from],
    top: 2,
    usd_per_credit: null,
    before: 0,
    compared: 0,
  };
};

test.each(['jobs', 'tokens', 'credits'] as const)(
  'the series of %s by user has no nested loop over the users of a team',
  async (metric) => {
    const plans: string[] = [];
    const query = async <Row>(sql: Statement, values: Values = {}) => {
      const { rows } = await database.pool.query(`explain (analyze, timing off) ${sql.text}`, bind(sql, values));
      plans.push(...rows.map((row) => row['QUERY PLAN']));
      return [{ groups: [], other: {}, total: '0', cells: [] }] as unknown as Row[];
    };

    await readSeries({ ...database, reports: { ...database.reports, query } } as Database, question(metric));

    const repeated = plans.map((line) => Number(/loops=(\d+)/.exec(line)?.[1] ?? 1));
    expect(plans.join('\n')).toContain('actual');
    expect(Math.max(...repeated)).toBe(1);
  },
);

test('the series by user shows the largest groups, the sum and number of the others, and jobs without a user as a group of null', async () => {
  await database.pool.query(
    'update jobs set total_calls = 1000000 where user_id is null and team_id = $1 and job_id <> $2',
    [team, randomUUID()],
  );

  const answer = await readSeries(database, question('calls'));

  expect(answer.groups.map(({ key }) => key)).toEqual([null, `user-${users}`]);
  expect(answer.other.count).toBe(users - 1);
  expect(answer.other.total).toBe((users * (users - 1)) / 2);
  const positions = answer.cells.map(([, position]) => position);
  expect([...positions].sort()).toEqual([0, 1, 2, 3]);
});
