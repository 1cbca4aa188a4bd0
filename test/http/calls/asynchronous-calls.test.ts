import { randomUUID } from 'node:crypto';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, singleCallBody } from '../../support/given.ts';
import type { Answer } from '../../support/send-request.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const prefer = (preference = 'respond-async') => ({ prefer: preference });
const awaited = async (team: GivenTeam, { headers }: Answer) =>
  expectOk(await as(gateway, team).get(`${headers.get('location')}?wait=30`));

function expectAccepted(answer: Answer): void {
  const { job_id, call_id, status } = answer.body;
  expect(answer.status).toBe(202);
  expect(Object.keys(answer.body).sort()).toEqual(['call_id', 'job_id', 'status']);
  expect(['queued', 'running', 'succeeded']).toContain(status);
  expect(answer.headers.get('location')).toBe(`/api/jobs/${job_id}/calls/${call_id}`);
  expect(answer.headers.get('preference-applied')).toBe('respond-async');
  expect(answer.headers.get('retry-after')).toBe('1');
  expect([answer.headers.get('x-job-id'), answer.headers.get('x-call-id')]).toEqual([job_id, call_id]);
}

test.each([
  ['llm-call', false],
  ['llm-call-stream', true],
])('%s with respond-async is 202, and its answer is read later (spec 26.1)', async (_, streamed) => {
  const team = await given.team({ models: ['sim-slow-400'] });
  const job = await given.job(team);

  const accepted = await as(gateway, team)[streamed ? 'stream' : 'call'](job, {}, prefer());

  expectAccepted(accepted);
  expect(accepted.body.job_id).toBe(job);
  expect(await awaited(team, accepted)).toMatchObject({ status: 'succeeded', streamed });
  const stream = await as(gateway, team).get(`${accepted.headers.get('location')}/stream`);
  expect(stream.text).toContain('[DONE]');
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 1, credit_applied: true });
});

test.each([
  ['create-and-call', false],
  ['create-and-call-stream', true],
])(
  '%s with respond-async is 202, and the job is completed and charged with its call (spec 26.1)',
  async (_, streamed) => {
    const team = await given.team({ models: ['sim-slow-400'], credits: 3 });

    const accepted = await as(gateway, team)[streamed ? 'singleStream' : 'single']({}, prefer());

    expectAccepted(accepted);
    expect(await awaited(team, accepted)).toMatchObject({ status: 'succeeded' });
    const { job_id } = accepted.body;
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job_id}`))).toMatchObject({
      status: 'completed',
      credit_applied: true,
    });
    expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 2 });
  },
);

test('with wait the ordinary answer comes if it is in time, else the 202 (spec 26.2)', async () => {
  const [fast, slow] = [await given.team(), await given.team({ models: ['sim-slow-2500'] })];

  const inTime = await as(gateway, fast).single({}, prefer('respond-async, wait=20'));
  const late = await as(gateway, slow).single({}, prefer('respond-async, wait=1'));

  expect(expectOk(inTime)).toMatchObject({ status: 'completed', response: { content: expect.any(String) } });
  expect(inTime.headers.get('preference-applied')).toBeNull();
  expectAccepted(late);
  expect(await awaited(slow, late)).toMatchObject({ status: 'succeeded' });
});

test('a call that fails within the wait is answered as without it, and one that fails later is read (spec 26.2, spec 26.3)', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const job = await given.job(team);

  expect((await as(gateway, team).call(job, {}, prefer('respond-async, wait=20'))).status).toBe(500);
  const accepted = await as(gateway, team).call(job, {}, prefer());
  expectAccepted({ ...accepted, body: { ...accepted.body, status: 'queued' } });
  expect(await awaited(team, accepted)).toMatchObject({ status: 'failed', error: expect.any(String) });
});

test('refusals are what they are without the header (spec 26.1)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const job = await given.job(team);
  const ended = await given.job(team);
  expectOk(await as(gateway, team).complete(ended));

  const answers = [
    await as(gateway, team).call(ended, {}, prefer()),
    await as(gateway, other).call(job, {}, prefer()),
    await as(gateway, team).call(job, { model_group: 'unknown' }, prefer()),
    await as(gateway, team).call(job, { messages: 1 }, prefer()),
    await as(gateway, team).stream(ended, {}, prefer()),
  ];

  expect(answers.map(({ status }) => status)).toEqual([409, 403, 403, 422, 409]);
  const { rows } = await gateway.current.deps.database.pool.query('select from calls where team_id = $1', [
    team.teamId,
  ]);
  expect(rows).toHaveLength(0);
});

test('a call to a job that is completing is refused, not accepted (spec 26.1)', async () => {
  const team = await given.team({ models: ['sim-slow-5000'] });
  const job = await given.job(team);
  const running = await as(gateway, team).call(job, {}, prefer());
  const completing = await as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'completed' }, prefer());
  expect(completing.status).toBe(202);

  const late = await as(gateway, team).call(job, {}, prefer());

  expect([late.status, late.body.code]).toEqual([409, 'job_finished']);
  expect(await awaited(team, running)).toMatchObject({ status: 'succeeded' });
});

test('complete with respond-async is 202 while calls are in flight, and the job ends with them (spec 26.1)', async () => {
  const team = await given.team({ models: ['sim-slow-5000'], credits: 2 });
  const job = await given.job(team);
  const call = await as(gateway, team).call(job, {}, prefer());

  const accepted = await as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'completed' }, prefer());

  expect([accepted.status, accepted.body]).toEqual([202, { job_id: job, status: 'in_progress' }]);
  expect(accepted.headers.get('location')).toBe(`/api/jobs/${job}`);
  expect(accepted.headers.get('preference-applied')).toBe('respond-async');
  await awaited(team, call);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ credit_applied: true });
});

test('complete with a wait has the ordinary answer in time, and another end stays a 409 (spec 26.1, spec 26.2)', async () => {
  const team = await given.team({ credits: 2 });
  const job = await given.job(team);
  const complete = (status: string, headers: Record<string, string>) =>
    as(gateway, team).post(`/api/jobs/${job}/complete`, { status }, headers);

  expect(expectOk(await complete('completed', prefer('respond-async, wait=20')))).toMatchObject({
    status: 'completed',
    costs: {},
  });
  expect((await complete('failed', prefer())).status).toBe(409);
  expect(expectOk(await complete('completed', prefer()))).toMatchObject({ status: 'completed' });
});

test('the 202 is repeated as it was, and the call is made once (spec 26.4)', async () => {
  const team = await given.team({ models: ['sim-slow-300'], credits: 3 });
  const headers = { ...prefer(), 'idempotency-key': randomUUID() };
  const make = () => as(gateway, team).single({}, headers);

  const first = await make();
  await awaited(team, first);
  const second = await make();

  expectAccepted(first);
  expect([second.status, second.body]).toEqual([202, first.body]);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect(second.headers.get('preference-applied')).toBe('respond-async');
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 2 });
});

test('a call that goes on takes one of the places of the team until it has ended (spec 26.3, spec 9.1)', async () => {
  const team = await given.team({ models: ['sim-slow-5000'], max_concurrent_calls: 1 });

  const first = await as(gateway, team).single({}, prefer());
  expect((await as(gateway, team).single({}, prefer())).status).toBe(429);
  await awaited(team, first);

  expect((await as(gateway, team).single({}, prefer())).status).toBe(202);
});

test('the preference is ignored under /v1, and other preferences everywhere (spec 26.1)', async () => {
  const team = await given.team();
  const body = { model: team.modelGroup, messages: hello };

  expectOk(await as(gateway, team).post('/v1/chat/completions', body, prefer()));
  expectOk(await as(gateway, team).post('/api/jobs/create-and-call', singleCallBody(team), prefer('return=minimal')));
});
