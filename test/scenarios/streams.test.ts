import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, hello, singleCallBody } from '../support/given.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a stream has the headers and, byte for byte, the events of the specification (spec 4.8, spec 5.2, spec 5.9, spec 5.10)', async () => {
  const team = await given.team({ models: ['sim-tokens-3-every-60'] });
  const job = await given.job(team);

  const answer = await as(gateway, team).stream(job);

  const callId = answer.headers.get('x-call-id');
  const events = readEvents(answer.text);
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
  const created = chunks[0].created;
  const around = (choice: object) => ({
    id: `chatcmpl-${callId}`,
    object: 'chat.completion.chunk',
    created,
    model: team.modelGroup,
    choices: [{ index: 0, ...choice }],
  });
  const texts = chunks.slice(0, -1).map((chunk) => chunk.choices[0].delta.content);
  const expected = [
    ...texts.map((content, index) =>
      around({ delta: index === 0 ? { role: 'assistant', content } : { content }, finish_reason: null }),
    ),
    { ...around({ delta: {}, finish_reason: 'stop' }), usage: chunks.at(-1).usage },
  ];
  expect(answer.text).toBe(`${expected.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);
  expect(chunks.at(-1).usage).toEqual({ prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
    'x-job-id': job,
  });
});

test('a stream whose request has Connection: close closes the connection after its end (spec 5.10)', async () => {
  const team = await given.team();
  const body = JSON.stringify({ team_id: team.teamId, job_type: 'one', model: team.modelGroup, messages: hello });
  const headers = {
    Authorization: `Bearer ${team.key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };

  const { received } = await sendRaw(
    gateway.current.url,
    rawRequest('POST /api/jobs/create-and-call-stream', headers, body),
  );

  expect(received).toContain('\r\nConnection: close\r\n');
  expect(received).toContain('data: [DONE]');
});

test('a stream whose client sends invalid HTTP meanwhile continues to its end', async () => {
  const team = await given.team({ models: ['sim-tokens-5-every-100'] });
  const body = JSON.stringify({ team_id: team.teamId, job_type: 'one', model: team.modelGroup, messages: hello });
  const headers = { Authorization: `Bearer ${team.key}`, 'Content-Type': 'application/json' };
  const { hostname, port } = new URL(gateway.current.url);
  const socket = connect(Number(port), hostname);

  const length = String(Buffer.byteLength(body));
  socket.write(rawRequest('POST /api/jobs/create-and-call-stream', { ...headers, 'Content-Length': length }, body));
  socket.once('data', () => socket.write('no HTTP\r\n'));

  expect(await text(socket)).toMatch(/data: \[DONE\]\s+(0\s+)?$/);
});

test('a streamed call has the same text as an equal call without a stream', async () => {
  const team = await given.team({ models: ['sim-unicode-every-5'] });
  const job = await given.job(team);

  const whole = expectOk(await as(gateway, team).call(job));
  const events = readEvents((await as(gateway, team).stream(job)).text);

  const text = events.slice(0, -1).map((event) => JSON.parse(event).choices[0].delta.content ?? '');
  expect(text.join('')).toBe(whole.response.content);
});

test.each([
  ['sim-stream-cut-2-every-20', 'the connection breaks'],
  ['sim-no-finish', 'the finish reason is missing'],
  ['sim-error-in-stream-2-every-20', 'the upstream sends an error'],
])(
  'a stream of %s, where %s, ends with an error and [DONE], and its job is not charged (spec 5.3, spec 5.4)',
  async (model) => {
    const team = await given.team({ credits: 5, models: [model, 'sim-ok'] });
    const job = await given.job(team);

    const events = readEvents((await as(gateway, team).stream(job)).text);
    const outcome = expectOk(await as(gateway, team).complete(job));

    expect(events.at(-1)).toBe('[DONE]');
    expect(JSON.parse(events.at(-2)!).error).toMatchObject({ type: expect.any(String), code: expect.any(String) });
    expect(JSON.parse(events.at(-2)!).error.message).toMatch(/^LLM call failed: /);
    expect(outcome.costs).toMatchObject({ failed_calls: 1, credit_applied: false });
  },
);

test('a stream whose first model fails before a token is streamed from the fallback', async () => {
  const team = await given.team({ models: ['sim-fail-503', 'sim-tokens-4'] });
  const job = await given.job(team);

  const events = readEvents((await as(gateway, team).stream(job)).text);

  expect(JSON.parse(events.at(-2)!).usage.completion_tokens).toBe(4);
});

test('a stream that is requested while a completion waits for a call is answered 409 like a call without a stream (spec 3.5, spec 5.1)', async () => {
  const model = 'sim-slow-60000-as-closing';
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);
  const completion = as(gateway, team).complete(job);
  await untilClosing(gateway, team, job);
  const stream = () => as(gateway, team).stream(job, {}, { 'idempotency-key': 'late' });

  const plain = await as(gateway, team).call(job);
  const [first, again] = [await stream(), await stream()];
  await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await Promise.all([call, completion]);

  expect(first).toMatchObject({ status: 409, text: plain.text, body: { detail: 'Job is already completed' } });
  expect(first.headers.get('content-type')).toBe(plain.headers.get('content-type'));
  expect(again).toMatchObject({ status: 409, text: plain.text });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test('a stream of a slow model has its status 200 before the first token (spec 5.1)', async () => {
  const team = await given.team({ models: ['sim-slow-60000'] });
  const job = await given.job(team);
  const streaming = await fetch(`${gateway.current.url}/api/jobs/${job}/llm-call-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_group: team.modelGroup, messages: hello }),
  });

  await as(gateway, team).post(`/api/jobs/${job}/cancel`);

  expect(streaming.status).toBe(200);
  expect(await streaming.text()).toContain('LLM call failed: cancelled');
});

test('a stream whose client disconnects is recorded to its end and charged (spec 5.5)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-tokens-20-every-50'] });

  const jobId = await disconnectMidStream('/api/jobs/create-and-call-stream', team.key, singleCallBody(team));

  const job = await until(
    async () => expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`)),
    ({ status }) => status === 'completed',
  );
  expect(job.credit_applied).toBe(true);
  const { costs } = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}/costs`));
  expect(costs).toMatchObject({ total_completion_tokens: 20, credits_remaining: 4 });
});

test('a stream whose client disconnects has its reserved tokens replaced by the used ones when the call ends', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-tokens-20-every-50'] });
  const fields = { max_tokens: 900 };

  await disconnectMidStream('/api/jobs/create-and-call-stream', team.key, singleCallBody(team, fields));

  await until(
    () => as(gateway, team).single(fields),
    ({ status }) => status === 200,
  );
});

/** Reads the first bytes of the answer and disconnects. Returns the id of the job. */
function disconnectMidStream(path: string, key: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const outgoing = request(`${gateway.current.url}${path}`, { method: 'POST', headers }, (response) => {
      response.once('data', () => {
        resolve(response.headers['x-job-id'] as string);
        outgoing.destroy();
      });
    });
    outgoing.once('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}
