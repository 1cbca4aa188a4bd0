import { ResponseStream } from '../../../src/http/responses/answer/response-stream.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { expectWellFormed, recordOf } from './answers.ts';
import { readResponseEvents, respondWith, responsesOf } from './respond.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const city = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { type: 'function', name: 'get_weather', parameters: city };
const image = (url: string) => [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];

test('what is left out is named: fields, items and tools of a provider (spec 29.5, spec 29.7, spec 29.9)', async () => {
  const team = await given.team();
  const answer = await respondWith(
    gateway,
    team,
  )({
    input: [
      { role: 'user', content: 'x' },
      { type: 'web_search_call', id: 'ws_1' },
    ],
    tools: [weather, { type: 'web_search' }],
    truncation: 'auto',
    include: ['reasoning.encrypted_content'],
    reasoning: { summary: 'auto' },
    top_k: 3,
  });

  expectOk(answer);
  expect(answer.headers.get('x-ignored-fields')).toBe('truncation, tools[1], input[1], top_k');
});

test.each<[string, object, string, string]>([
  ['no input', { input: undefined }, 'missing_required_parameter', 'input'],
  ['an empty input', { input: [] }, 'invalid_value', 'input'],
  ['an item that is no object', { input: ['x'] }, 'invalid_type', 'input[0]'],
  [
    'an unknown part',
    { input: [{ role: 'user', content: [{ type: 'x' }] }] },
    'invalid_value',
    'input[0].content[0].type',
  ],
  [
    'a call without its id',
    { input: [{ type: 'function_call', name: 'f', arguments: '' }] },
    'missing_required_parameter',
    'input[0].call_id',
  ],
  ['only items that are left out', { input: [{ type: 'brand_new' }] }, 'invalid_value', 'input'],
  [
    'a file by its id',
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
    'unsupported_value',
    'input[0].content[0].file_id',
  ],
  [
    'an image that is nowhere',
    { input: [{ role: 'user', content: [{ type: 'input_image', detail: 'low' }] }] },
    'missing_required_parameter',
    'input[0].content[0].image_url',
  ],
  [
    'a file without its data in the output of a call',
    { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', filename: 'a.pdf' }] }] },
    'missing_required_parameter',
    'input[0].output[0].file_data',
  ],
  ['a private address', { input: image('http://127.0.0.1/a.png') }, 'invalid_value', 'input[0].content[0].image_url'],
  ['a conversation', { conversation: 'conv_1' }, 'unsupported_value', 'conversation'],
  ['a prompt of the provider', { prompt: { id: 'p' } }, 'unsupported_value', 'prompt'],
  ['log probabilities', { top_logprobs: 1 }, 'unsupported_value', 'top_logprobs'],
  ['included log probabilities', { include: ['message.output_text.logprobs'] }, 'unsupported_value', 'include[0]'],
  ['only tools of a provider', { tools: [{ type: 'web_search' }] }, 'unsupported_value', 'tools[0].type'],
  ['a tool without a name', { tools: [{ type: 'function' }] }, 'missing_required_parameter', 'tools[0].name'],
  ['a temperature that is a text', { temperature: 'hot' }, 'invalid_type', 'temperature'],
])('a request with %s is 400 with its place (spec 29.6, spec 29.7)', async (_, fields, code, param) => {
  const team = await given.team();
  const { status, body } = await respondWith(gateway, team)(fields as Record<string, unknown>);

  expect([status, body.error.code, body.error.param]).toEqual([400, code, param]);
});

test('null is the same as an absent field (spec 29.5)', async () => {
  const team = await given.team();
  const fields = [
    'tools',
    'temperature',
    'previous_response_id',
    'store',
    'metadata',
    'text',
    'reasoning',
    'include',
    'stream',
    'background',
    'conversation',
    'user',
  ];

  const response = expectOk(await respondWith(gateway, team)(Object.fromEntries(fields.map((name) => [name, null]))));

  expect(response).toMatchObject({ status: 'completed', store: true, temperature: 1, metadata: {} });
});

test('a failure before the first piece is a status, also of a stream; a later one is two events (spec 29.16, spec 29.19)', async () => {
  const before = await given.team({ models: ['sim-overflow-code'] });
  const refused = await respondWith(gateway, before)({ stream: true });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'context_length_exceeded']);

  const after = await given.team({ models: ['sim-error-in-stream-2'] });
  const events = readResponseEvents(await respondWith(gateway, after)({ stream: true }));
  expect(events.slice(-2)).toMatchObject([
    { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } },
    {
      type: 'error',
      code: 'server_error',
      param: null,
      error: { type: 'server_error', code: 'server_error', param: null },
    },
  ]);
});

test('the job that ends with the call has ended at the last event (spec 29.13)', async () => {
  const team = await given.team();
  const answer = await respondWith(gateway, team)({ stream: true });

  const job = expectOk(await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`));

  expect(readResponseEvents(answer).at(-1)!.type).toBe('response.completed');
  expect(job).toMatchObject({ status: 'completed', job_type: 'responses', credit_applied: true });
});

test('calls of a task belong to one job, which a function call leaves open and an answer ends (spec 29.1)', async () => {
  const team = await given.team({ models: [`sim-tools-once-then-ok-as-${unique('task')}`] });
  const headers = { 'x-external-task-id': unique('task'), 'x-job-end': 'answer' };
  const respond = respondWith(gateway, team);

  const called = await respond({ tools: [weather] }, headers);
  const [call] = expectOk(called).output;
  const job = () => as(gateway, team).get(`/api/jobs/${called.headers.get('x-job-id')}`);
  expect(call).toMatchObject({ type: 'function_call', name: 'get_weather', status: 'completed' });
  expect(expectOk(await job()).status).toBe('in_progress');

  const result = { type: 'function_call_output', call_id: call.call_id, output: 'rain' };
  const answered = await respond({ input: [result], previous_response_id: called.body.id, tools: [weather] }, headers);
  expect(answered.headers.get('x-job-id')).toBe(called.headers.get('x-job-id'));
  expect(expectOk(await job()).status).toBe('completed');
});

test('metadata names the job and is shown (spec 29.1, spec 29.11)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const answer = await respondWith(gateway, team)({ metadata: { job_id: job, a: 1 }, user: 'ada' });

  expect(answer.headers.get('x-job-id')).toBe(job);
  expect(expectOk(answer)).toMatchObject({ metadata: { job_id: job, a: 1 }, user: 'ada' });
});

test('a custom tool and one in a namespace are called as the client knows them (spec 29.9)', async () => {
  const team = await given.team({ models: [`sim-tools-as-${unique('custom')}`] });
  const respond = respondWith(gateway, team);
  const custom = {
    type: 'custom',
    name: 'apply_patch',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
  };

  const [patch] = expectOk(await respond({ tools: [custom] })).output;
  const [named] = expectOk(await respond({ tools: [{ type: 'namespace', name: 'agents', tools: [weather] }] })).output;
  const streamed = readResponseEvents(await respond({ tools: [custom], stream: true }));

  expect(patch).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', input: expect.stringMatching(/^\w/) });
  expect(named).toMatchObject({ type: 'function_call', name: 'get_weather', namespace: 'agents' });
  const deltas = streamed.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
  expect(deltas.map(({ delta }) => delta).join('')).toBe(patch.input);
});

test('the cached tokens of a prompt are part of its tokens (spec 29.20)', async () => {
  const team = await given.team({ models: ['sim-prompt-tokens-1000-cached-900'] });

  expect(expectOk(await respondWith(gateway, team)({})).usage).toMatchObject({
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 900 },
  });
});

test('the concrete model is in no answer, no event and no header (spec 29.11)', async () => {
  const team = await given.team({ models: ['sim-leaks'] });
  for (const stream of [false, true]) {
    const answer = await respondWith(gateway, team)({ stream });
    const { id } = stream ? (readResponseEvents(answer)[0]!.response as Json) : answer.body;
    const read = await responsesOf(gateway, team).get(id, '?stream=true');
    for (const { text, headers } of [answer, read])
      expect(`${text}${JSON.stringify([...headers])}`).not.toMatch(/sim-|leaked|litellm/);
  }
});

test('a keepalive has the number of the last event (spec 29.15)', async () => {
  const outputs = async function* () {
    yield { type: 'delta' as const, delta: { content: 'x' } };
  };
  const stream = new ResponseStream(recordOf(), outputs());
  for await (const event of stream.events) if (event.includes('output_text.delta')) break;

  expect(stream.keepaliveText()).toBe('event: keepalive\ndata: {"type":"keepalive","sequence_number":4}\n\n');
});

test('a model that begins late is answered after 10 s with the headers, and then with its events (spec 29.16)', async () => {
  const team = await given.team({ models: ['sim-slow-11000-tokens-3'] });
  const begun = performance.now();
  const response = await fetch(`${gateway.current.url}/v1/responses`, {
    method: 'post',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: team.modelGroup, input: 'x', stream: true }),
  });

  expect(performance.now() - begun).toBeGreaterThan(9_500);
  expect(performance.now() - begun).toBeLessThan(10_900);
  expect(readResponseEvents({ text: await response.text() }).at(-1)!.type).toBe('response.completed');
}, 30_000);

test.each([
  ['post', '/v1/responses/compact', {}],
  ['get', '/v1/responses', { upgrade: 'websocket', connection: 'upgrade' }],
])('%s %s, which is not offered, is an unknown URL (spec 29.1)', async (method, path, headers) => {
  const team = await given.team();
  const { hostname, port } = new URL(gateway.current.url);
  const { request } = await import('node:http');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: { ...headers, authorization: `Bearer ${team.key}` } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end();
  });

  expect(status).toBe(404);
});

test('a body in gzip is read (spec 29.5)', async () => {
  const team = await given.team();
  const { gzipSync } = await import('node:zlib');
  const raw = new Uint8Array(gzipSync(JSON.stringify({ model: team.modelGroup, input: 'x' })));
  const answer = await sendRequest(gateway.current.url, 'post', '/v1/responses', {
    key: team.key,
    raw,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });

  expect(expectOk(answer).status).toBe('completed');
});

test('counting is an estimate of the whole input, and no call (spec 29.22)', async () => {
  const team = await given.team();
  const count = (fields: object, model = team.modelGroup) =>
    sendRequest(gateway.current.url, 'post', '/v1/responses/input_tokens', {
      key: team.key,
      body: { model, ...fields },
    });

  const short = await count({ input: 'x' });
  const { id } = expectOk(await respondWith(gateway, team)({ input: 'y'.repeat(4_000) }));
  const long = expectOk(await count({ input: 'x', previous_response_id: id }));

  expect(expectOk(short)).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
  expect(short.headers.get('x-token-count')).toBe('estimated');
  expect(short.headers.get('x-job-id')).toBeNull();
  expect(long.input_tokens - short.body.input_tokens).toBeGreaterThan(900);
  expect((await count({ input: 'x' }, 'nobody')).body.error.code).toBe('model_not_found');
  expect(expectOk(await as(gateway, team).get('/api/jobs')).jobs).toHaveLength(1);
});

test('a response belongs to the open job of the previous one, unless that is a single-call job (spec 29.1)', async () => {
  const team = await given.team();
  const respond = respondWith(gateway, team);
  const job = await given.job(team);
  const inJob = await respond({}, { 'x-job-id': job });
  const alone = await respond({});

  const next = await respond({ previous_response_id: expectOk(inJob).id });
  const apart = await respond({ previous_response_id: expectOk(alone).id });

  expect(next.headers.get('x-job-id')).toBe(job);
  expect(expectOk(apart) && apart.headers.get('x-job-id')).not.toBe(alone.headers.get('x-job-id'));
});

test('the calls of a turn of Codex are one job of type codex (spec 29.1)', async () => {
  const team = await given.team();
  const respond = respondWith(gateway, team);
  const turn = { client_metadata: { root_turn_id: unique('turn') }, stream: true };

  const [first, second] = [await respond(turn), await respond(turn)];

  expect(second.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${first.headers.get('x-job-id')}`));
  expect(job).toMatchObject({ job_type: 'codex' });
});

test('a stream of Codex that broke off is taken up by its repetition: the same events, one call (spec 29.21)', async () => {
  const model = `sim-every-50-tokens-20-as-${unique('lost')}`;
  const team = await given.team({ models: [model] });
  const body = { model: team.modelGroup, input: 'x', stream: true, store: false };
  const turn = { root_turn_id: unique('turn'), session_id: 's' };
  const leaving = new AbortController();
  const response = await fetch(`${gateway.current.url}/v1/responses`, {
    method: 'post',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, client_metadata: turn }),
    signal: leaving.signal,
  });
  const { value } = await response.body!.getReader().read();
  leaving.abort();

  // Codex repeats the keys in another order.
  const { root_turn_id, session_id } = turn;
  const repeated = await respondWith(gateway, team)({ ...body, client_metadata: { session_id, root_turn_id } });

  expect(repeated.headers.get('x-call-id')).toBe(response.headers.get('x-call-id'));
  const events = readResponseEvents(repeated);
  expectWellFormed(events);
  expect(events.at(-1)!.type).toBe('response.completed');
  const [begun] = readResponseEvents({ text: `${Buffer.from(value!).toString().split('\n\n')[0]}\n\n` });
  expect((events[0]!.response as Json).id).toBe((begun!.response as Json).id);
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
});
