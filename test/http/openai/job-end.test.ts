import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { maintain } from '../../support/maintain.ts';
import type { Answer } from '../../support/send-request.ts';
import { insertUnsentCall } from '../../support/unsent-work.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { chatWith, readChunks } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

const jobOf = (answer: Answer): string => answer.headers.get('x-job-id')!;
const read = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
const costs = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).complete(job)).costs;
const creditsUsed = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_used;

const lookUp = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const callsTool = { tools: [lookUp], tool_choice: 'required' };
const answers = { tools: [lookUp], tool_choice: 'none' };

describe.each([
  ['plain', {}],
  ['streamed', { stream: true }],
])('a %s call', (form, fields) => {
  test('with X-Job-End: call ends its open job with its answer, and the job is charged once (spec 17.6, spec 18.5)', async () => {
    const team = await given.team();
    const job = await given.job(team);

    const answer = await chatWith(gateway, team)(fields, { 'x-job-id': job, 'x-job-end': 'call' });

    expect(answer.status).toBe(200);
    if (form === 'streamed') expect(readChunks(answer).at(-1).choices[0].finish_reason).toBe('stop');
    expect((await read(team, job)).status).toBe('completed');
    expect(await creditsUsed(team)).toBe(1);
  });

  test('with X-Job-End: call that fails leaves its job open (spec 17.6, spec 18.5)', async () => {
    const team = await given.team({ models: ['sim-fail-400'] });
    const job = await given.job(team);

    await chatWith(gateway, team)(fields, { 'x-job-id': job, 'x-job-end': 'call' });

    expect((await read(team, job)).status).toBe('in_progress');
  });

  test('of an agent with static headers joins the job of its task until a turn ends it: five turns cost one credit, and the next opens another job (spec 17.6, spec 18.5)', async () => {
    const team = await given.team();
    const chat = chatWith(gateway, team);
    const headers = { 'x-external-task-id': unique('task'), 'x-job-end': 'answer' };

    const turns = [];
    for (const turn of [callsTool, callsTool, callsTool, callsTool, answers])
      turns.push(await chat({ ...turn, ...fields }, headers));
    const [job, ...others] = new Set(turns.map(jobOf));
    const status = (await read(team, job!)).status;
    const next = await chat({ ...callsTool, ...fields }, headers);

    expect(others).toEqual([]);
    expect(status).toBe('completed');
    expect(await costs(team, job!)).toMatchObject({ total_calls: 5, credit_applied: true });
    expect(jobOf(next)).not.toBe(job);
    expect(await creditsUsed(team)).toBe(1);
  });

  test('that is repeated with its Idempotency-Key gets the same answer, and its job is charged once', async () => {
    const team = await given.team();
    const chat = chatWith(gateway, team);
    const headers = {
      'x-external-task-id': unique('task'),
      'x-job-end': 'answer',
      'idempotency-key': unique('key'),
    };

    const first = await chat(fields, headers);
    const repeated = await chat(fields, headers);

    expect(jobOf(repeated)).toBe(jobOf(first));
    expect(await costs(team, jobOf(first))).toMatchObject({ total_calls: 1, credit_applied: true });
    expect(await creditsUsed(team)).toBe(1);
  });
});

test('an agent of five turns with one failed call costs no credit', async () => {
  const team = await given.team();
  const failing = await given.modelGroup(['sim-fail-400']);
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, failing] });
  const chat = chatWith(gateway, team);
  const headers = { 'x-external-task-id': unique('task'), 'x-job-end': 'answer' };

  const turns = [];
  for (const turn of [callsTool, callsTool, { ...callsTool, model: failing }, callsTool, answers])
    turns.push(await chat(turn, headers));

  const [job, ...others] = new Set(turns.map(jobOf));
  expect(others).toEqual([]);
  expect(turns.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200]);
  expect((await read(team, job!)).status).toBe('completed');
  expect(await costs(team, job!)).toMatchObject({ total_calls: 5, failed_calls: 1, credit_applied: false });
  expect(await creditsUsed(team)).toBe(0);
});

test('a call that ends its job while another runs closes the job, and is answered when the other has ended', async () => {
  const team = await given.team({ models: ['sim-slow-6000-as-other'] });
  const group = await given.modelGroup();
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, group] });
  const chat = chatWith(gateway, team);
  const job = await given.job(team);
  const other = chat({}, { 'x-job-id': job });
  await untilRequested(gateway, 'sim-slow-6000-as-other');

  const ending = await chat({ model: group }, { 'x-job-id': job, 'x-job-end': 'call' });

  expect(ending.status).toBe(200);
  expect((await read(team, job)).status).toBe('completed');
  expect((await other).status).toBe(200);
  expect(await costs(team, job)).toMatchObject({ total_calls: 2, credit_applied: true });
  expect((await chat({ model: group }, { 'x-job-id': job })).body.error.code).toBe('job_finished');
});

test('a job that several calls with X-Job-End and several completions end at once is charged once (spec 18.5)', async () => {
  const team = await given.team();
  const chat = chatWith(gateway, team);
  const job = await given.job(team);
  const headers = { 'x-job-id': job, 'x-job-end': 'call' };

  const calls = await Promise.all([
    chat({}, headers),
    chat({ stream: true }, headers),
    chat({}, headers),
    as(gateway, team).complete(job),
    as(gateway, team).complete(job),
  ]);

  expect(calls.every(({ status }) => status === 200 || status === 400)).toBe(true);
  expect((await read(team, job)).status).toBe('completed');
  expect(await creditsUsed(team)).toBe(1);
});

test('a call that ends its job, or a turn of it, and whose signal was lost ends it when maintenance sends the call (spec 18.5, spec 27.3)', async () => {
  const team = await given.team();
  const [job, turn] = [await given.job(team), await given.job(team)];
  await insertUnsentCall(gateway.current, team, job, { streamed: false, end_job: 'call' });
  await insertUnsentCall(gateway.current, team, turn, { streamed: false, turn_seconds: 1 });
  await gateway.current.deps.database.pool.query(
    `update calls set created_at = now() - interval '1 minute' where job_id = any ($1)`,
    [[job, turn]],
  );

  await maintain(gateway.current);
  for (const one of [job, turn]) await until(async () => (await read(team, one)).status === 'completed');

  expect(await creditsUsed(team)).toBe(2);
});

test('an X-Job-End that is neither call nor answer is refused (spec 17.6)', async () => {
  const team = await given.team();

  const refused = await chatWith(gateway, team)({}, { 'x-job-end': 'job' });

  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({ code: 'invalid_value', param: 'x-job-end' });
});
