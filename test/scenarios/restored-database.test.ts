import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { maintain } from '../support/maintain.ts';
import { restoreFromBeforeEnd } from '../support/restore-record.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a single-call job whose end was lost in PostgreSQL is ended again by maintenance, and charged once', async () => {
  const team = await given.team({ credits: 5 });
  const { job_id } = expectOk(await as(gateway, team).single());
  await gateway.current.deps.jobs.result(job_id);
  await restoreFromBeforeEnd(gateway.current, job_id);
  await gateway.current.deps.database.pool.query(
    `update jobs set created_at = created_at - interval '1 minute' where job_id = $1`,
    [job_id],
  );

  await until(async () => {
    await maintain(gateway.current);
    return expectOk(await as(gateway, team).get(`/api/jobs/${job_id}`)).status === 'completed';
  });

  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 1 });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

test('a job whose end was lost in PostgreSQL and not in Temporal continues and is charged once', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  const call = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] };
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/llm-call`, call));
  const complete = () => as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'completed' });
  expectOk(await complete());
  await restoreFromBeforeEnd(gateway.current, job);

  expectOk(await as(gateway, team).post(`/api/jobs/${job}/llm-call`, call));
  const [first, second] = [expectOk(await complete()), expectOk(await complete())];

  expect(first).toMatchObject({ costs: { total_calls: 2, credit_applied: true, credits_remaining: 4 } });
  expect(second).toEqual(first);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});
