import { workflowId } from '../../src/domain/ids.ts';
import { setPrice } from '../http/prices/given-prices.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import '../support/quiet-temporal.ts';
import { sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;

afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

async function givenTeam(billing_policy: string): Promise<GivenTeam> {
  const team = await given.team({ credits: 100, billing_policy });
  await setPrice(gateway, team.teamId, 'report', { credits: 2 });
  return team;
}

const remaining = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_remaining;
const terminate = (job: string) =>
  gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job)).terminate();

const rounds = sized({ short: 4, full: 20 });

test('a job under the policy answered that receives every end at once is charged its price once (spec 21.1)', async () => {
  const team = await givenTeam('answered');
  const own = as(gateway, team);
  for (let round = 0; round < rounds; round += 1) {
    const job = await given.job(team);
    expectOk(await own.call(job));

    const ends = await Promise.all([
      ...[own.complete(job), own.complete(job, 'failed'), own.post(`/api/jobs/${job}/cancel`)],
      ...[own.complete(job), own.complete(job, 'failed'), own.post(`/api/jobs/${job}/cancel`)],
    ]);

    for (const { status, body } of ends.filter(({ status }) => status !== 409)) {
      expect(status).toBe(200);
      expect(body.costs).toMatchObject({ credits_charged: 2, credits_remaining: 100 - 2 * (round + 1) });
    }
  }
  expect(await remaining(team)).toBe(100 - 2 * rounds);
});

test.each([
  ['answered', true],
  ['completed', false],
])(
  'a job under the policy %s whose workflow is terminated after an answer fails, and is charged: %p (spec 3.17, spec 21.1)',
  async (policy, isCharged) => {
    const team = await givenTeam(policy);
    const job = await given.job(team);
    expectOk(await as(gateway, team).call(job));
    await terminate(job);

    await as(gateway, team).post(`/api/jobs/${job}/cancel`);
    const read = async () => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
    await until(async () => (await read()).completed_at !== null);

    expect(await read()).toMatchObject({ status: 'failed', ended_by: 'service', credit_applied: isCharged });
    expect(await remaining(team)).toBe(isCharged ? 98 : 100);
  },
);

test('a single-call job that loses its worker and its workflow between its call and its charge is charged its price once (spec 21.1, spec 3.18)', async () => {
  const team = await givenTeam('answered');
  await sql(`create or replace function hold() returns trigger language plpgsql as $$ begin raise exception 'held'; end $$;
             create or replace trigger hold before update on jobs for each row
               when (new.completed_at is not null) execute function hold()`);
  const answer = as(gateway, team).single({ external_task_id: 'held' });
  const ended = `select j.job_id from jobs j join calls c on c.job_id = j.job_id
                  where j.team_id = $1 and c.finished_at is not null`;
  const [{ job_id }] = await until(
    () => sql(ended, [team.teamId]),
    (rows) => rows.length === 1,
  );
  await terminate(job_id);

  await sql('drop trigger hold on jobs');
  await until(async () => (await as(gateway, team).post(`/api/jobs/${job_id}/cancel`)).status === 409);
  await answer;

  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job_id}`))).toMatchObject({
    status: 'completed',
    credit_applied: true,
  });
  expect(await remaining(team)).toBe(98);
  const asked = 'select a.outcome from call_attempts a join calls c on c.call_id = a.call_id where c.job_id = $1';
  expect(await sql(asked, [job_id])).toEqual([{ outcome: 'succeeded' }]);
});
