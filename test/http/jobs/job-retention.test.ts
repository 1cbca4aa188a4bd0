import { deleteOldJobs } from '../../../src/db/maintenance/delete-jobs.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';

const gateway = gatewayForTests({ settings: { JOB_RETENTION_DAYS: '10' } });
const given = givenIn(gateway);

const query = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const rowsOf = async (job: string): Promise<Record<string, number>> => {
  const { rows } = await query(
    `select (select count(*)::int from jobs where job_id = $1) as jobs,
            (select count(*)::int from calls where job_id = $1) as calls,
            (select count(*)::int from call_payloads p join calls c using (call_id) where job_id = $1) as payloads,
            (select count(*)::int from webhook_deliveries where job_id = $1) as deliveries,
            (select count(*)::int from credit_transactions where job_id = $1) as transactions`,
    [job],
  );
  return rows[0];
};

async function givenEndedJob(team: GivenTeam, days: number, calls = 2): Promise<string> {
  const job = await given.job(team);
  for (let n = 0; n < calls; n++) expectOk(await as(gateway, team).call(job));
  expectOk(await as(gateway, team).complete(job));
  const age = `make_interval(days => $2)`;
  await query(
    `update jobs set created_at = created_at - ${age}, completed_at = completed_at - ${age} where job_id = $1`,
    [job, days],
  );
  // As if a roll-up had added the calls long ago.
  await query(
    `update sweep_cursors set done_until = greatest(done_until, now() - interval '1 minute') where name = 'hourly calls'`,
  );
  return job;
}

test('a job that ended before JOB_RETENTION_DAYS is deleted with its calls, and ledger, balance and usage stay (spec 13.4)', async () => {
  const team = await given.team({ credits: 5 });
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/jobs', events: ['job.completed'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const [old, young] = [await givenEndedJob(team, 11), await givenEndedJob(team, 9)];
  await query(`update webhook_deliveries set status = 'delivered', finished_at = now() where job_id = $1`, [old]);
  const usage = async () =>
    expectOk(
      await as(gateway, team).get(`/api/teams/${team.teamId}/usage?period=${new Date().toISOString().slice(0, 7)}`),
    );
  const before = { credits: await as(gateway, team).credits(), usage: await usage() };

  await maintain(gateway.current);

  expect(await rowsOf(old)).toEqual({ jobs: 0, calls: 0, payloads: 0, deliveries: 0, transactions: 1 });
  expect(await rowsOf(young)).toMatchObject({ jobs: 1, calls: 2, payloads: 2, transactions: 1 });
  expect((await as(gateway, team).get(`/api/jobs/${old}`)).status).toBe(404);
  expect({ credits: await as(gateway, team).credits(), usage: await usage() }).toEqual(before);
  const { transactions } = expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/credits/transactions`));
  expect(transactions.map(({ job_id }: { job_id: string }) => job_id)).toContain(old);
});

test('a job with many calls is deleted in several statements, and open jobs and calls that are in no sum stay (spec 13.4)', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const [large, small, open] = [
    await givenEndedJob(team, 40, 5),
    await givenEndedJob(team, 40, 1),
    await given.job(team),
  ];
  const atOnce = { jobs_at_once: 10, calls_at_once: 2 };
  let batches = 0;

  await query(`update sweep_cursors set done_until = now() - interval '50 days' where name = 'hourly calls'`);
  expect(await deleteOldJobs(database, 30, () => undefined, atOnce)).toBe(0);
  await query(`update sweep_cursors set done_until = now() - interval '1 minute' where name = 'hourly calls'`);
  expect(
    await deleteOldJobs(
      database,
      30,
      () => {
        batches += 1;
      },
      atOnce,
    ),
  ).toBe(2);

  expect(batches).toBe(3);
  for (const job of [large, small]) expect(await rowsOf(job)).toMatchObject({ jobs: 0, calls: 0 });
  expect(await rowsOf(open)).toMatchObject({ jobs: 1 });
});
