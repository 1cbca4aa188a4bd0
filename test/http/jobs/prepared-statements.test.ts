import type { Pool } from 'pg';
import { jobSortFields } from '../../../src/domain/job-state.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** How many statements each connection of the pool keeps. */
async function statementsOfEach(pool: Pool): Promise<number[]> {
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const counts = connections.map(async (one) => {
    const { rows } = await one.query('select count(*)::int as statements from pg_prepared_statements');
    return rows[0].statements as number;
  });
  return Promise.all(counts).finally(() => connections.forEach((one) => void one.release()));
}

test('lists of jobs with every filter in every order prepare a bounded number of statements', async () => {
  const team = await given.team();
  const filters = [
    'status=completed',
    'job_type=report',
    'user_id=ann',
    'external_task_id=task-1',
    'start_date=2026-01-01T00:00:01Z',
    'end_date=2030-01-01',
    `team_id=${team.teamId}`,
  ];
  const selections = filters.reduce((all, filter) => all.flatMap((one) => [one, `${one}&${filter}`]), ['']);
  const orders = jobSortFields.flatMap((field) => [`sort_by=${field}&order=asc`, `sort_by=${field}&order=desc`]);

  for (const selection of selections)
    await Promise.all(
      orders.map(async (order) => expectOk(await as(gateway, team).get(`/api/jobs?${order}${selection}`))),
    );

  const { database } = gateway.current.deps;
  const counts = [...(await statementsOfEach(database.pool)), ...(await statementsOfEach(database.reports.pool))];
  expect(Math.max(...counts)).toBeLessThan(100);
}, 180_000);
