import { setTimeout as pause } from 'node:timers/promises';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';

/** A single-call job is settled with its call, unless something else is asked of it meanwhile: then its workflow decides. */
const gateway = gatewayForTests();
const given = givenIn(gateway);

afterEach(async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

const single = (team: GivenTeam) => as(gateway, team).single({ job_metadata: { from: 'the start' } });

const show = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
const used = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_used;

/** Its call is at the upstream and stays there for a while. */
async function givenRunning(model = 'sim-slow-3000') {
  const team = await given.team({ credits: 5, models: [model] });
  return { team, ...(await singleRunning(team)) };
}

async function singleRunning(team: GivenTeam) {
  const answer = single(team);
  const job = await until(
    async () => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs[0],
    (found) => found?.status === 'in_progress',
  );
  return { answer, job: job.job_id as string };
}

test('has ended when its answer is there, by the record and for whoever asks', async () => {
  const team = await given.team({ credits: 5 });

  const { job_id, costs, completed_at } = expectOk(await single(team));
  const [job, again, otherwise, call, metadata] = await Promise.all([
    show(team, job_id),
    as(gateway, team).complete(job_id),
    as(gateway, team).complete(job_id, 'failed'),
    as(gateway, team).call(job_id),
    as(gateway, team).patch(`/api/jobs/${job_id}/metadata`, { metadata: { late: true } }),
  ]);

  expect(job).toMatchObject({
    status: 'completed',
    completed_at,
    credit_applied: true,
    metadata: { from: 'the start' },
  });
  expect(expectOk(again)).toMatchObject({ status: 'completed', costs });
  for (const refused of [otherwise, call, metadata]) {
    expect(refused).toMatchObject({ status: 409, body: { detail: 'Job is already completed' } });
  }
  expect(await used(team)).toBe(1);
});

test('completed as failed while its call runs: failed and free, and its own request is told', async () => {
  const { team, answer, job } = await givenRunning();

  const outcome = expectOk(await as(gateway, team).complete(job, 'failed'));

  expect(outcome).toMatchObject({
    status: 'failed',
    costs: { total_calls: 1, failed_calls: 0, credit_applied: false },
  });
  expect(await answer).toMatchObject({ status: 409, body: { detail: 'Job is already failed' } });
  expect(await used(team)).toBe(0);
});

test('cancelled while its call runs', async () => {
  const { team, answer, job } = await givenRunning('sim-slow-60000');

  const outcome = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect(outcome).toMatchObject({ status: 'cancelled', calls: [{ error: 'cancelled' }] });
  expect(await answer).toMatchObject({ status: 500, body: { detail: 'LLM call failed: cancelled' } });
  expect(await used(team)).toBe(0);
});

test('a second call while the first one runs counts before the job ends', async () => {
  const { team, answer, job } = await givenRunning();

  const second = expectOk(await as(gateway, team).call(job));
  const { costs } = expectOk(await answer);

  expect(second.call_id).toBeDefined();
  expect(costs).toMatchObject({ total_calls: 2, failed_calls: 0, credit_applied: true });
  expect(await show(team, job)).toMatchObject({ status: 'completed' });
  expect(await used(team)).toBe(1);
});

test.each<[string, string, number, object]>([
  ['sim-slow-2000', 'sim-fail-400', 200, { status: 'completed', credit_applied: false, error_message: null }],
  ['sim-slow-2000-fail-400', 'sim-ok', 500, { status: 'failed', credit_applied: false }],
])('of %s, with a call of %s that ends first, ends with its own', async (ownModel, otherModel, status, end) => {
  const [own, other] = await Promise.all([given.modelGroup([ownModel]), given.modelGroup([otherModel])]);
  const team = { ...(await given.team({ model_groups: [own, other] })), modelGroup: own };
  const { answer, job } = await singleRunning(team);

  await as(gateway, team).call(job, { model_group: other });
  const meanwhile = await show(team, job);
  const third = await as(gateway, team).call(job, { model_group: other });

  expect(meanwhile).toMatchObject({ status: 'in_progress' });
  expect(third.status).not.toBe(409);
  expect((await answer).status).toBe(status);
  expect(await show(team, job)).toMatchObject(end);
  expect(await used(team)).toBe(0);
});

test('metadata that is merged while its call runs is kept', async () => {
  const { team, answer, job } = await givenRunning();

  expectOk(await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { step: 2 } }));
  expectOk(await answer);

  const { metadata, status } = await show(team, job);
  expect({ metadata, status }).toEqual({ metadata: { from: 'the start', step: 2 }, status: 'completed' });
  expect(await used(team)).toBe(1);
});

test('whoever is first, its call or a completion: one end, and the credit that goes with it', async () => {
  const team = await given.team({ credits: 100, models: ['sim-slow-1500'] });
  const answers = Array.from({ length: 40 }, () => single(team));
  const jobs: { job_id: string }[] = await until(
    async () => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs,
    (found) => found.length === 40,
  );

  const ends = await Promise.all(
    jobs.map(async ({ job_id }, index) => {
      await pause(index * 50);
      const { status, body } = await as(gateway, team).complete(job_id, 'failed');
      return status === 200 ? body.status : body.detail;
    }),
  );

  const failed = ends.filter((end) => end === 'failed').length;
  expect(ends.filter((end) => end === 'Job is already completed')).toHaveLength(40 - failed);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 409)).toHaveLength(failed);
  expect(statuses.filter((status) => status === 200)).toHaveLength(40 - failed);
  expect(await used(team)).toBe(40 - failed);
});
