import { randomUUID } from 'node:crypto';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, hello, unique } from '../../support/given.ts';
import { contentOf, isRunning, isShown, stopping } from '../../support/given-stop.ts';
import { checkLedger } from '../../support/ledger.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';

// Before the hook that closes the gateway.
afterAll(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

const gateway = gatewayForTests();
const given = givenIn(gateway);
const { stop, read, started } = stopping(gateway, () => gateway.current.deps.database.pool);

const slow = () => `sim-slow-60000-as-${unique('stopped')}`;
const streaming = () => `sim-tokens-400-every-25-as-${unique('stopped')}`;
const untilAborted = (model: string) => until(() => gateway.current.simulator.requestsFor({ model })[0]!.aborted);

test('a stream that is stopped ends for its client, its readers and in the record with the same text, and its job is charged (spec 26.10)', async () => {
  const model = streaming();
  const team = await given.team({ models: [model], credits: 5 });
  const job = await given.job(team);
  const { call, end } = await started(team, 'stream', isShown, { job });
  const reader = as(gateway, team).get(`/api/jobs/${job}/calls/${call}/stream`);
  const waiting = as(gateway, team).get(`/api/jobs/${job}/calls/${call}?wait=60`);

  const stopped = expectOk(await stop(team, job, call));

  const recorded = await read(team, job, call);
  const { response, response_bytes, truncated, ...record } = recorded;
  expect(stopped).toEqual(record);
  expect(stopped).toMatchObject({ status: 'succeeded', finish_reason: 'stopped', error: null, error_code: null });
  expect(response.content).not.toBe('');
  for (const answer of [await end, await reader]) {
    const { text, reason } = contentOf(answer);
    expect([text, reason]).toEqual([response.content, 'stopped']);
    expect(answer.text).toContain('data: [DONE]');
  }
  expect(expectOk(await waiting)).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });
  await untilAborted(model);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({
    total_calls: 1,
    failed_calls: 0,
    credit_applied: true,
    credits_remaining: 4,
  });
});

test('a call that is not streamed and is stopped is answered with an empty answer, and asks no further model (spec 26.10)', async () => {
  const [model, fallback] = [slow(), `sim-ok-as-${unique('fallback')}`];
  const team = await given.team({ models: [model, fallback] });
  const job = await given.job(team);
  const { call, end } = await started(team, 'call', isRunning, { job });
  await untilRequested(gateway, model);

  expect(expectOk(await stop(team, job, call))).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });

  expect(expectOk(await end)).toMatchObject({ call_id: call, response: { content: '', finish_reason: 'stopped' } });
  await untilAborted(model);
  expect(gateway.current.simulator.requestsFor({ model: fallback })).toHaveLength(0);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({
    failed_calls: 0,
    credit_applied: true,
  });
});

test('a call that has ended stays as it is when it is stopped, and a stop can be repeated, also with an Idempotency-Key (spec 26.10)', async () => {
  const [ok, failing] = [await given.team(), await given.team({ models: ['sim-fail-400'] })];
  const [succeeded, failed] = [await given.job(ok), await given.job(failing)];
  const { call_id } = expectOk(await as(gateway, ok).call(succeeded));
  const refused = await as(gateway, failing).call(failed);
  const failedCall = refused.headers.get('x-call-id')!;
  const team = await given.team({ models: [streaming()] });
  const job = await given.job(team);
  const { call, end } = await started(team, 'stream', isShown, { job });
  const headers = { 'idempotency-key': randomUUID() };

  const first = await stop(team, job, call, headers);
  const again = [await stop(team, job, call, headers), await stop(team, job, call)];
  await end;

  expect(expectOk(await stop(ok, succeeded, call_id))).toMatchObject({ status: 'succeeded', finish_reason: 'stop' });
  expect(expectOk(await stop(failing, failed, failedCall))).toMatchObject({ status: 'failed', finish_reason: null });
  for (const answer of again) expect(expectOk(answer)).toEqual(expectOk(first));
});

test.each([false, true])(
  'a chat completion that is stopped has the finish reason `stop`, also where its job is cancelled (stream: %s) (spec 26.10)',
  async (stream) => {
    const model = stream ? streaming() : slow();
    const team = await given.team({ models: [model] });
    const made = as(gateway, team).post('/v1/chat/completions', { model: team.modelGroup, messages: hello, stream });
    await untilRequested(gateway, model);
    const { calls, job } = await until(
      async () => {
        const [{ job_id }] = (await as(gateway, team).get('/api/jobs')).body.jobs;
        return { job: job_id, calls: (await as(gateway, team).get(`/api/jobs/${job_id}/calls`)).body.calls };
      },
      ({ calls: [one] }) => (stream ? one?.first_token_at : one?.status === 'running'),
    );

    expectOk(await stop(team, job, calls[0].call_id));

    const answer = await made;
    const { response } = await read(team, job, calls[0].call_id);
    if (stream) expect(contentOf(answer)).toMatchObject({ text: response.content, reason: 'stop' });
    else expect(expectOk(answer).choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } });
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe(stream ? 'completed' : 'cancelled');
  },
);

test('complete tool calls stay, an incomplete one is dropped, and a reader that has seen pieces of it reads to the end (spec 26.10)', async () => {
  const team = await given.team({ models: [`sim-two-tools-every-120-as-${unique('tools')}`] });
  const job = await given.job(team);
  const { call, end } = await started(team, 'stream', isShown, { job });

  expectOk(await stop(team, job, call));

  const { chunks } = contentOf(await end);
  const { response } = await read(team, job, call);
  const shown = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
  expect(shown.length).toBeGreaterThan(0);
  for (const { function: called } of response?.toolCalls ?? [])
    expect(() => JSON.parse(called.arguments)).not.toThrow();
  expect((response?.toolCalls ?? []).length).toBeLessThan(2);
  const seen = Buffer.from(JSON.stringify([call.slice(0, 8), 0, 1, 0, 0, 3])).toString('base64url');
  const rest = await sendRequest(gateway.current.url, 'get', `/api/jobs/${job}/calls/${call}/stream`, {
    key: team.key,
    headers: { 'last-event-id': seen },
  });
  expect(rest.status).toBe(200);
  expect(rest.text).toContain('[DONE]');
});

test('a reader that resumes after each few events of a call that is stopped has the recorded text (spec 26.8, spec 26.10)', async () => {
  const team = await given.team({ models: [streaming()] });
  const job = await given.job(team);
  const { call, end } = await started(team, 'stream', isShown, { job });
  let text = '';
  let lastId: string | undefined;
  for (let reads = 0; ; reads += 1) {
    if (reads === 3) expectOk(await stop(team, job, call));
    const response = await fetch(`${gateway.current.url}/api/jobs/${job}/calls/${call}/stream`, {
      headers: { authorization: `Bearer ${team.key}`, ...(lastId && { 'last-event-id': lastId }) },
    });
    if (response.status === 204) break;
    let received = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body!) {
      received += decoder.decode(bytes, { stream: true });
      if (reads < 3 && received.split('data: ').length > 4) break;
    }
    const events = received
      .slice(0, received.lastIndexOf('\n\n'))
      .split('\n\n')
      .filter((event) => event.startsWith('id: '));
    text += contentOf({ text: events.join('\n\n') }).text;
    lastId = /^id: (\S+)/.exec(events.at(-1) ?? '')?.[1] ?? lastId;
  }
  await end;

  expect(text).toBe((await read(team, job, call)).response.content);
});

test('a stopped call counts with its reservation in the budget of its job, and what it took is kept as an estimate (spec 26.10, spec 23.8)', async () => {
  const model = streaming();
  const team = await given.team({ models: [model] });
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, {
    models: [{ model_name: model, input_price_per_million: 1, output_price_per_million: 2 }],
  });
  const job = await given.job(team, { budget: { max_tokens: 100_000, max_cost_usd: 1 } });
  const { call, end } = await started(team, 'stream', isShown, { job, max_tokens: 700 });

  expectOk(await stop(team, job, call));
  await end;

  const { rows } = await gateway.current.deps.database.pool.query(
    'select held_tokens::int as tokens, held_usd::float as cost_usd from calls where call_id = $1',
    [call],
  );
  const { budget } = expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
  expect(budget).toMatchObject({ spent: { ...rows[0], calls: 1 }, assumed: rows[0], held: { tokens: 0, calls: 0 } });
  const { breakdown, costs } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(costs).toMatchObject({ total_cost_usd: 0, failed_calls: 0 });
  expect(breakdown[0]).toMatchObject({
    estimated: true,
    attempts: [{ outcome: 'cancelled', error: 'stopped', estimated: true }],
  });
  expect(breakdown[0].estimated_cost_usd).toBeGreaterThan(0);
});

test("another team's call is 403, an unknown one and one of another job 404, a malformed id 422 (spec 26.10)", async () => {
  const [team, other] = [await given.team({ models: [streaming()] }), await given.team()];
  const [job, otherJob] = [await given.job(team), await given.job(team)];
  const { call, end } = await started(team, 'stream', isShown, { job });

  const answers = [
    await stop(other, job, call),
    await stop(team, job, randomUUID()),
    await stop(team, otherJob, call),
    await stop(team, randomUUID(), call),
    await stop(team, job, 'x'),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 404, 422]);
  expect((await read(team, job, call)).status).toBe('running');
  expectOk(await stop(team, job, call));
  await end;
});

test("an admin's stop is audited once, and not where a team has stopped the call or it had ended (spec 26.10, spec 12.11)", async () => {
  const team = await given.team({ models: [streaming()] });
  const admin = { ...team, key: gateway.current.masterKey };
  const [job, second] = [await given.job(team), await given.job(team)];
  const first = await started(team, 'stream', isShown, { job });
  const ofTeam = await started(team, 'stream', isShown, { job: second });

  const answers = await Promise.all([1, 2, 3].map(() => stop(admin, job, first.call)));
  expectOk(await stop(admin, job, first.call));
  expectOk(await stop(team, second, ofTeam.call));
  expectOk(await stop(admin, second, ofTeam.call));
  await Promise.all([first.end, ofTeam.end]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await readAudit(gateway.current, job)).toEqual([
    { action: 'stopped_call', resource_type: 'job', user_id: null, details: { call_id: first.call } },
  ]);
  expect(await readAudit(gateway.current, second)).toEqual([]);
});

test('a finish reason `stopped` of an upstream is shown as `stop` (spec 26.10)', async () => {
  const team = await given.team({ models: ['sim-finish-stopped'] });
  const job = await given.job(team);

  expect(expectOk(await as(gateway, team).call(job)).response.finish_reason).toBe('stop');
});
