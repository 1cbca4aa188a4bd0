import { setTimeout as pause } from 'node:timers/promises';
import { workflowId } from '../../src/domain/ids.ts';
import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { giveDeadline, recordDeadline } from '../support/give-deadline.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { disappearances } from '../support/lose-workflow.ts';
import { maintain } from '../support/maintain.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const jobOf = async (team: GivenTeam, job: string): Promise<Json> =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
/** An activity whose start was lost on a busy machine is started again after 15 s. */
const untilEnded = (team: GivenTeam, job: string) =>
  until(
    () => jobOf(team, job),
    ({ completed_at }) => completed_at !== null,
    50_000,
  );
const callsOf = async (team: GivenTeam, job: string): Promise<Json[]> =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).calls;
const byDeadline = {
  status: 'failed',
  ended_by: 'deadline',
  error_message: 'Job deadline exceeded',
  credit_applied: false,
};
const slowTeam = async (name: string) => {
  const model = `sim-slow-60000-as-${unique(name)}`;
  return { model, team: await given.team({ credits: 50, models: [model] }) };
};

test('the calls in flight of a job are aborted at its deadline and answered as those of a cancelled job (spec 23.11, spec 23.14)', async () => {
  const { model, team } = await slowTeam('surfaces');
  const streaming = `sim-tokens-500-every-100-as-${unique('deadline')}`;
  const group = await given.modelGroup([streaming]);
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, group] });
  const job = await given.job(team);
  const chat = { messages: hello, model: team.modelGroup };
  const named = { 'x-job-id': job };
  const answers = [
    as(gateway, team).call(job),
    as(gateway, team).stream(job, { model_group: group }),
    as(gateway, team).post('/v1/chat/completions', chat, named),
    as(gateway, team).post('/v1/chat/completions', { ...chat, model: group, stream: true }, named),
  ];
  await untilRequested(gateway, model, 2);
  await untilRequested(gateway, streaming, 2);
  await giveDeadline(gateway.current, job, 1_000);

  const [plain, stream, v1, v1Stream] = await Promise.all(answers);
  const ended = await jobOf(team, job);

  expect([plain!.status, plain!.body]).toMatchObject([
    500,
    { code: 'call_failed', detail: 'LLM call failed: deadline' },
  ]);
  expect(readEvents(stream!.text).at(-1)).toBe('[DONE]');
  expect(JSON.parse(readEvents(stream!.text).at(-2)!).error).toMatchObject({ message: 'LLM call failed: deadline' });
  expect([v1!.status, v1!.body.error]).toMatchObject([400, { code: 'job_finished', message: 'Job is already failed' }]);
  expect(readEvents(v1Stream!.text).at(-1)).toBe('[DONE]');
  expect(JSON.parse(readEvents(v1Stream!.text).at(-2)!).error).toMatchObject({ code: 'job_finished' });
  expect(ended).toMatchObject(byDeadline);
  expect((await callsOf(team, job)).map(({ error, error_code }) => [error, error_code])).toEqual(
    Array(4).fill(['deadline', 'deadline']),
  );
  await until(() => gateway.current.simulator.requestsFor({ model }).every(({ aborted }) => aborted));
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 50 });
});

test('a create-and-call at whose deadline the call runs is 409, its stream has an error event, and under /v1 it is 400 (spec 23.14)', async () => {
  const { model, team } = await slowTeam('single');
  const chat = { messages: hello, model: team.modelGroup };
  const answers = [
    as(gateway, team).single(),
    as(gateway, team).singleStream(),
    as(gateway, team).post('/v1/chat/completions', chat),
  ];
  await untilRequested(gateway, model, 3);
  const jobs: Json[] = expectOk(await as(gateway, team).get('/api/jobs')).jobs;
  for (const { job_id } of jobs) await giveDeadline(gateway.current, job_id, 500);

  const [single, stream, v1] = await Promise.all(answers);

  expect([single!.status, single!.body]).toEqual([409, { code: 'job_finished', detail: 'Job is already failed' }]);
  expect(readEvents(stream!.text).at(-1)).toBe('[DONE]');
  expect(JSON.parse(readEvents(stream!.text)[0]!).error.message).toBe('LLM call failed: deadline');
  expect([v1!.status, v1!.body.error.code]).toEqual([400, 'job_finished']);
  for (const { job_id } of jobs) expect(await jobOf(team, job_id)).toMatchObject(byDeadline);
});

test('a completion that waits at the deadline is 409, as are commands and calls after it, and a cancel before it wins (spec 23.11)', async () => {
  const { model, team } = await slowTeam('waiting');
  const [waiting, cancelled] = [await given.job(team), await given.job(team)];
  const calls = [as(gateway, team).call(waiting), as(gateway, team).call(cancelled)];
  await untilRequested(gateway, model, 2);
  const completion = as(gateway, team).complete(waiting);
  await untilClosing(gateway, team, waiting);
  await giveDeadline(gateway.current, waiting, 2_000);
  await giveDeadline(gateway.current, cancelled, 2_000);
  expectOk(await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`));

  const refused = { status: 409, body: { detail: 'Job is already failed' } };
  expect(await completion).toMatchObject(refused);
  expect(await as(gateway, team).post(`/api/jobs/${waiting}/cancel`)).toMatchObject(refused);
  expect(await as(gateway, team).patch(`/api/jobs/${waiting}/metadata`, { metadata: {} })).toMatchObject(refused);
  expect(await as(gateway, team).call(waiting)).toMatchObject(refused);
  await Promise.all(calls);
  expect(await jobOf(team, waiting)).toMatchObject(byDeadline);
  expect(await jobOf(team, cancelled)).toMatchObject({ status: 'cancelled', ended_by: 'client' });
});

test('jobs that are completed within milliseconds of their deadline have one end each, and one charge where they are completed (spec 23.11)', async () => {
  const count = 120;
  const team = await given.team({ credits: 1_000 });
  const jobs: string[] = [];
  for (let made = 0; made < count; made += 12)
    jobs.push(...(await Promise.all(Array.from({ length: 12 }, () => given.job(team)))));

  const answers: Json[] = [];
  for (let from = 0; from < count; from += 6) {
    const completing = jobs.slice(from, from + 6).map(async (job, index) => {
      const at = await giveDeadline(gateway.current, job, 500);
      await pause(Math.max(0, at.getTime() - Date.now() - 15 + index * 4));
      return as(gateway, team).complete(job);
    });
    answers.push(...(await Promise.all(completing)));
  }
  const ended = await Promise.all(jobs.map((job) => untilEnded(team, job)));

  const completed = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(count - completed);
  expect(ended.map(({ status }) => status)).toEqual(
    answers.map(({ status }) => (status === 200 ? 'completed' : 'failed')),
  );
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 1_000 - completed });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  expect([completed > 0, completed < count]).toEqual([true, true]);
}, 120_000);

test('a completion that comes after the deadline is 409 while the workflow does not know, and the job stays free (spec 23.11)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  await recordDeadline(gateway.current, job, -1);

  expect(await as(gateway, team).complete(job)).toMatchObject({
    status: 409,
    body: { detail: 'Job is already failed' },
  });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
});

test('a call is aborted at the deadline by its worker alone, and its end ends the job, while the workflow does not know (spec 23.14)', async () => {
  const { model, team } = await slowTeam('late');
  const job = await given.job(team);
  await recordDeadline(gateway.current, job, 3_000);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);

  expect(await call).toMatchObject({ status: 500, body: { detail: 'LLM call failed: deadline' } });
  expect(await jobOf(team, job)).toMatchObject(byDeadline);
});

test('a deadline that is extended or lifted while a call runs does not abort the call (spec 23.14)', async () => {
  const model = `sim-slow-9000-as-${unique('extended')}`;
  const team = await given.team({ models: [model] });
  const [extended, lifted] = [await given.job(team), await given.job(team)];
  for (const job of [extended, lifted]) await giveDeadline(gateway.current, job, 7_000);
  const calls = [as(gateway, team).call(extended), as(gateway, team).call(lifted)];
  await untilRequested(gateway, model, 2);

  await giveDeadline(gateway.current, extended, 60_000);
  const { pool } = gateway.current.deps.database;
  await pool.query('update job_budgets set deadline_at = null, deadline_seconds = null where job_id = $1', [lifted]);

  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  for (const job of [extended, lifted])
    expect(expectOk(await as(gateway, team).complete(job))).toMatchObject({ status: 'completed' });
});

test('within the grace after its deadline a job is completed and charged (spec 23.11)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  const at = await recordDeadline(gateway.current, job, 0);
  await gateway.current.deps.database.pool.query(
    'update job_budgets set deadline_grace_seconds = 60 where job_id = $1',
    [job],
  );
  await gateway.current.deps.jobs.changeDeadline(job, at);

  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ credit_applied: true });
});

test('maintenance ends a job whose workflow has not received its deadline, and one whose workflow is lost ends by the record (spec 23.11)', async () => {
  const team = await given.team();
  const [untold, lost] = [await given.job(team), await given.job(team)];
  await recordDeadline(gateway.current, untold, -60_000);
  await recordDeadline(gateway.current, lost, -1_000);
  await disappearances['was deleted']!(gateway.current.deps.temporal.client, workflowId.job(lost));

  await gateway.current.deps.jobs.resume(lost);
  // A round skips what is only some seconds old.
  const round = async () => {
    await maintain(gateway.current);
    return jobOf(team, untold);
  };
  await until(round, ({ completed_at }) => completed_at !== null, 60_000);

  for (const job of [untold, lost]) expect(await untilEnded(team, job)).toMatchObject(byDeadline);
}, 90_000);
