import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Json, sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { chatWith } from './openai/chat.ts';

const gateway = gatewayForTests({ settings: { MAX_CONCURRENT_CALLS: '2' } });
const given = givenIn(gateway);

const runningAt = (model: string) => () => gateway.current.simulator.requestsFor({ model }).length;
const cancel = async (team: GivenTeam, job: string) =>
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
const hangingTeam = async (fields: Json = {}) => {
  const model = `sim-hang-as-${unique('model')}`;
  return { model, team: await given.team({ models: [model], ...fields }) };
};

test('a call beyond those that a team may have under way is refused, names the bound and leaves nothing behind (spec 9.1)', async () => {
  const { model, team } = await hangingTeam({ rpm_limit: 3 });
  const other = await given.team();
  const job = await given.job(team);
  const calls = [as(gateway, team).call(job), as(gateway, team).call(job)];
  await until(() => runningAt(model)() === 2);

  const refused = await as(gateway, team).call(job);
  const streamed = await as(gateway, team).stream(job);
  const single = await as(gateway, team).single();
  const chat = await chatWith(gateway, team)();
  const ofOther = await as(gateway, other).single();

  for (const answer of [refused, streamed, single])
    expect([answer.status, answer.body.detail]).toEqual([429, 'Rate limit exceeded: max_concurrent_calls (2)']);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
  expect([chat.status, chat.body.error]).toMatchObject([
    429,
    { code: 'rate_limit_exceeded', message: 'Rate limit exceeded: max_concurrent_calls (2). Please try again in 1s' },
  ]);
  expect(ofOther.status).toBe(200);
  await cancel(team, job);
  await Promise.all(calls);
  expect(expectOk(await as(gateway, team).get('/api/jobs')).total).toBe(1);
  // The third of the three calls of this minute: those that were refused do not count.
  const next = await given.job(team);
  const third = as(gateway, team).call(next);
  await until(() => runningAt(model)() === 3);
  await cancel(team, next);
  expect((await third).headers.get('x-ratelimit-remaining')).toBe('0');
});

test('a stream has its place until its call has ended, also when its reader has left (spec 9.1)', async () => {
  const { model, team } = await hangingTeam({ max_concurrent_calls: 1 });
  const job = await given.job(team);
  const reader = new AbortController();
  const stream = fetch(`${gateway.current.url}/api/jobs/${job}/llm-call-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_group: team.modelGroup, messages: [{ role: 'user', content: 'hi' }] }),
    signal: reader.signal,
  });
  await until(() => runningAt(model)() === 1);
  reader.abort();
  await stream.catch(() => undefined);

  const while1 = await as(gateway, team).call(job);
  await cancel(team, job);
  const next = await given.job(team);
  const after = await until(
    () => as(gateway, team).stream(next, { model_group: 'unknown' }),
    ({ status }) => status !== 429,
  );

  expect(while1.status).toBe(429);
  expect(after.status).toBe(403);
});

test('calls that end, are refused or fail give their place back', async () => {
  const team = await given.team({ models: ['sim-ok'], max_concurrent_calls: 1 });
  const job = await given.job(team);
  const failing = await given.team({ models: ['sim-fail-400'], max_concurrent_calls: 1 });

  for (let turn = 0; turn < 3; turn += 1) {
    expect((await as(gateway, team).call(job)).status).toBe(200);
    expect((await as(gateway, team).stream(job)).status).toBe(200);
    expect((await as(gateway, team).call(job, { model_group: 'unknown' })).status).toBe(403);
    expect((await as(gateway, team).stream(job, { model_group: 'unknown' })).status).toBe(403);
    expect((await chatWith(gateway, failing)()).status).toBe(400);
  }
});

test('a repetition by Idempotency-Key waits for its first execution without a place of its own (spec 9.1)', async () => {
  const model = `sim-tokens-4-every-500-as-${unique('model')}`;
  const team = await given.team({ models: [model], max_concurrent_calls: 1 });
  const job = await given.job(team);
  const key = { 'idempotency-key': unique('key') };
  const first = as(gateway, team).call(job, {}, key);
  await until(() => runningAt(model)() === 1);

  const second = await as(gateway, team).call(job, {}, key);

  expect(second.status).not.toBe(429);
  expect((await first).status).toBe(200);
});

test.each([0, 501, 1.5, '2'])('the number of calls under way cannot be %p', async (value) => {
  const team = await given.team();

  const answer = await sendRequest(gateway.current.url, 'put', `/api/teams/${team.teamId}`, {
    key: gateway.current.masterKey,
    body: { max_concurrent_calls: value },
  });

  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'max_concurrent_calls']]);
});

test('a team shows its number of calls under way, a change applies to the next call, and null is the default', async () => {
  const { model, team } = await hangingTeam();
  const change = (max_concurrent_calls: number | null) =>
    given.admin('put', `/api/teams/${team.teamId}`, { max_concurrent_calls });
  const shown = async () => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}`)).max_concurrent_calls;
  const job = await given.job(team);

  expect(await shown()).toBeNull();
  await change(1);
  expect(await shown()).toBe(1);
  const calls = [as(gateway, team).call(job)];
  await until(() => runningAt(model)() === 1);
  expect((await as(gateway, team).call(job)).status).toBe(429);
  await change(null);
  calls.push(as(gateway, team).call(job));
  await until(() => runningAt(model)() === 2);

  await cancel(team, job);
  await Promise.all(calls);
});
