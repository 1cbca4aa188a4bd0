import { randomUUID } from 'node:crypto';
import { routes } from '../../../src/http/routes.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { untilClosing } from '../../support/until-closing.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { jobsOf } from './agents.ts';
import { answerPrompt } from './prompts.ts';

const gateway = gatewayForTests({ routes: [...routes, answerPrompt], settings: { TASK_JOB_IDLE: '2s' } });
const given = givenIn(gateway);
afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

const send = (team: GivenTeam, fields: object = {}, headers: Record<string, string> = {}) =>
  as(gateway, team).post('/v1/prompts', { model: team.modelGroup, ...fields }, headers);
const ask = async (...request: Parameters<typeof send>): Promise<{ call: string; job: string }> =>
  expectOk(await send(...request));

describe('a call that names an earlier call', () => {
  test('belongs to the open job of that call, which it can end (spec 27.6)', async () => {
    const team = await given.team();
    const jobs = jobsOf(gateway, team);
    const job = await given.job(team);
    const first = await ask(team, {}, { 'x-job-id': job });

    const second = await ask(team, { previous_call: first.call });
    const third = await ask(team, { previous_call: second.call }, { 'x-job-end': 'call' });
    const fourth = await ask(team, { previous_call: third.call });

    expect([second.job, third.job]).toEqual([job, job]);
    expect((await jobs.read(job)).status).toBe('completed');
    expect(fourth.job).not.toBe(job);
    expect(await jobs.read(fourth.job)).toMatchObject({ status: 'completed', job_type: 'prompts' });
    expect(await jobs.creditsUsed()).toBe(2);
  });

  test.each<[string, (team: GivenTeam) => Promise<string>]>([
    ['of a single-call job', async (team) => (await ask(team)).call],
    ['that does not exist', async () => randomUUID()],
    [
      'of another team',
      async () => {
        const other = await given.team();
        return (await ask(other, {}, { 'x-job-id': await given.job(other) })).call;
      },
    ],
  ])('%s has a job of its own, and is refused where its team wants a job (spec 27.6)', async (_, previous) => {
    const team = await given.team();
    const jobs = jobsOf(gateway, team);
    const previous_call = await previous(team);
    const { job } = await ask(team, { previous_call });
    await given.admin('put', `/api/teams/${team.teamId}`, { jobless_calls: 'refuse' });

    const refused = await send(team, { previous_call });

    expect(await jobs.read(job)).toMatchObject({ status: 'completed', external_task_id: null });
    expect(refused.body.error.code).toBe('job_required');
  });

  test.each([
    ['whose client waits', {}],
    ['that is read later', { later: true }],
  ])(
    '%s and whose job is completing is made in another job, also when it is repeated with its Idempotency-Key (spec 27.6)',
    async (what, fields) => {
      const model = `sim-slow-8000-as-${what.replaceAll(' ', '-')}`;
      const team = await given.team();
      const slow = await given.modelGroup([model]);
      await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, slow] });
      const jobs = jobsOf(gateway, team);
      const job = await given.job(team, { external_task_id: 'task' });
      const { call } = await ask(team, {}, { 'x-job-id': job });
      const running = ask(team, { model: slow }, { 'x-job-id': job });
      await untilRequested(gateway, model);
      const completing = as(gateway, team).complete(job);
      await untilClosing(gateway, team, job);
      const key = { 'idempotency-key': unique('key') };

      const made = await ask(team, { previous_call: call, ...fields }, key);
      const inTask = await ask(team, fields, { 'x-external-task-id': 'task' });
      await Promise.all([running, completing]);
      const repeated = await ask(team, { previous_call: call, ...fields }, key);

      expect([made.job, inTask.job]).not.toContain(job);
      expect(inTask.job).not.toBe(made.job);
      expect(repeated).toEqual(made);
      await jobs.untilEnded(inTask.job);
      expect(await jobs.all()).toHaveLength(3);
      expect(await jobs.creditsUsed()).toBe(3);
    },
  );

  test('and is repeated with its Idempotency-Key after the end of the job has the job of its first execution (spec 27.6)', async () => {
    const team = await given.team();
    const jobs = jobsOf(gateway, team);
    const job = await given.job(team);
    const { call } = await ask(team, {}, { 'x-job-id': job });
    const key = { 'idempotency-key': unique('key') };
    const made = await ask(team, { previous_call: call }, key);
    expectOk(await as(gateway, team).complete(job));
    // The reply is lost, as when the api dies before it stores it: the operation is executed again.
    await deleteStoredAnswers(gateway.current);

    const repeated = await send(team, { previous_call: call }, key);

    expect(made.job).toBe(job);
    expect(repeated.body).toMatchObject({ job });
    expect(await jobs.all()).toHaveLength(1);
  });
});

test('calls of a task without a job share one job, which ends when it is idle and is charged once; another task has another (spec 27.8)', async () => {
  const team = await given.team({ rpm_limit: 1_000, tpm_limit: 1_000_000 });
  const jobs = jobsOf(gateway, team);

  const made = await Promise.all(Array.from({ length: 30 }, () => ask(team, { task: 'embeddings' })));
  const ofUser = await ask(team, { task: 'embeddings:ann' });
  const [job, ...others] = new Set(made.map((one) => one.job));
  const ended = await jobs.untilEnded(job!);
  await jobs.untilEnded(ofUser.job);
  const next = await ask(team, { task: 'embeddings' });

  expect(others).toEqual([]);
  expect(ended).toMatchObject({
    status: 'completed',
    ended_by: 'idle',
    external_task_id: 'embeddings',
    job_type: 'prompts',
  });
  expect(await jobs.costs(job!)).toMatchObject({ total_calls: 30 });
  expect([ofUser.job, next.job]).not.toContain(job);
  expect(await jobs.creditsUsed()).toBe(2);
});

test('where the team refuses calls without a job, a task for those does not help (spec 27.8)', async () => {
  const team = await given.team({ jobless_calls: 'refuse' });

  const refused = await send(team, { task: 'embeddings' });

  expect(refused.body.error.code).toBe('job_required');
});
