import { setTimeout as pause } from 'node:timers/promises';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';

/** A single-call job is settled with its call, unless it receives another command before: then its workflow decides. */
const gateway = gatewayForTests();
const given = givenIn(gateway);

afterEach(async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

const single = (team: GivenTeam) => as(gateway, team).single({ job_metadata: { from: 'the start' } });

const getJob = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
const used = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_used;

/** A single-call job whose call is in flight in the upstream. */
async function givenRunning(model = 'sim-slow-8000') {
  const team = await given.team({ credits: 5, models: [model] });
  return { team, ...(await singleRunning(team)) };
}

async function singleRunning(team: GivenTeam) {
  const answer = single(team);
  const job = await until(
    async () => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs[0],
    (job) => job?.status === 'in_progress',
  );
  return { answer, job: job.job_id as string };
}

test('a single-call job has ended in the record and for later requests when it is answered', async () => {
  const team = await given.team({ credits: 5 });

  const { job_id, costs, completed_at } = expectOk(await single(team));
  const [job, again, otherwise, call, metadata] = await Promise.all([
    getJob(team, job_id),
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

test('a single-call job that is completed as failed while its call runs is not charged, and its request is answered 409 (spec 4.19)', async () => {
  const { team, answer, job } = await givenRunning();

  const outcome = expectOk(await as(gateway, team).complete(job, 'failed'));

  expect(outcome).toMatchObject({
    status: 'failed',
    costs: { total_calls: 1, failed_calls: 0, credit_applied: false },
  });
  expect(await answer).toMatchObject({ status: 409, body: { detail: 'Job is already failed' } });
  expect(await used(team)).toBe(0);
});

test('a single-call job that is cancelled while its call runs has a cancelled call and is not charged (spec 4.19)', async () => {
  const { team, answer, job } = await givenRunning('sim-slow-60000');

  const outcome = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect(outcome).toMatchObject({ status: 'cancelled', calls: [{ error: 'cancelled' }] });
  expect(await answer).toMatchObject({ status: 500, body: { detail: 'LLM call failed: cancelled' } });
  expect(await used(team)).toBe(0);
});

test('a single-call job that receives a second call while the first runs counts both (spec 4.19)', async () => {
  const { team, answer, job } = await givenRunning();

  const second = expectOk(await as(gateway, team).call(job));
  const { costs } = expectOk(await answer);

  expect(second.call_id).toBeDefined();
  expect(costs).toMatchObject({ total_calls: 2, failed_calls: 0, credit_applied: true });
  expect(await getJob(team, job)).toMatchObject({ status: 'completed' });
  expect(await used(team)).toBe(1);
});

test.each<[string, string, number, object]>([
  ['sim-slow-8000', 'sim-fail-400', 200, { status: 'completed', credit_applied: false, error_message: null }],
  ['sim-slow-8000-fail-400', 'sim-ok', 500, { status: 'failed', credit_applied: false }],
])(
  'a single-call job of %s ends with its own call when a call of %s ends before',
  async (ownModel, otherModel, status, end) => {
    const [own, other] = await Promise.all([given.modelGroup([ownModel]), given.modelGroup([otherModel])]);
    const team = { ...(await given.team({ model_groups: [own, other] })), modelGroup: own };
    const { answer, job } = await singleRunning(team);

    await as(gateway, team).call(job, { model_group: other });
    const meanwhile = await getJob(team, job);
    const third = await as(gateway, team).call(job, { model_group: other });

    expect(meanwhile).toMatchObject({ status: 'in_progress' });
    expect(third.status).not.toBe(409);
    expect((await answer).status).toBe(status);
    expect(await getJob(team, job)).toMatchObject(end);
    expect(await used(team)).toBe(0);
  },
);

test('a single-call job whose metadata is updated while its call runs has its first and its updated metadata in the end', async () => {
  const { team, answer, job } = await givenRunning();

  expectOk(await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { step: 2 } }));
  expectOk(await answer);

  const { metadata, status } = await getJob(team, job);
  expect({ metadata, status }).toEqual({ metadata: { from: 'the start', step: 2 }, status: 'completed' });
  expect(await used(team)).toBe(1);
});

test('single-call jobs whose calls race with completions as failed have one end each, and are charged only if the call was first', async () => {
  const team = await given.team({ credits: 100, models: ['sim-slow-1500'] });
  const answers = Array.from({ length: 40 }, () => single(team));
  const jobs: { job_id: string }[] = await until(
    async () => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs,
    (all) => all.length === 40,
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
