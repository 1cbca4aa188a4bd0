import { randomBytes } from 'node:crypto';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
const receiver = await startOtlpReceiver();
afterAll(() => receiver.close());
const lines: Record<string, unknown>[] = [];
const gateway = gatewayForTests({
  settings: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
  log: (line) => void lines.push(JSON.parse(line)),
});
const given = givenIn(gateway);

const secret = 'the-river-of-the-prompt';
const prompt = [{ role: 'user', content: secret }];

/** A client's own span, in which it sends a request. */
function clientSpan(flags = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

const sentIn = (traceId: string) =>
  gateway.current.simulator.requests.filter(({ traceparent }) => traceparent?.includes(traceId));
const contextOf = ({ traceId, spanId }: ReceivedSpan) => `00-${traceId}-${spanId}-01`;
const idsOf = ({ headers }: Answer) => {
  const jobId = headers.get('x-job-id');
  return { 'job.id': jobId, 'session.id': jobId, 'call.id': headers.get('x-call-id') };
};

const model = (team: GivenTeam) => ({ model: team.modelGroup });
type Send = (team: GivenTeam, headers: Record<string, string>) => Promise<Answer>;
const withMessages: [string, Send][] = [
  [
    '/api/jobs/{job_id}/llm-call',
    async (team, headers) => as(gateway, team).call(await given.job(team), { messages: prompt }, headers),
  ],
  [
    '/api/jobs/{job_id}/llm-call-stream',
    async (team, headers) => as(gateway, team).stream(await given.job(team), { messages: prompt }, headers),
  ],
  ['/api/jobs/create-and-call', (team, headers) => as(gateway, team).single({ messages: prompt }, headers)],
  [
    '/api/jobs/create-and-call-stream',
    (team, headers) => as(gateway, team).singleStream({ messages: prompt }, headers),
  ],
  [
    '/v1/chat/completions',
    (team, headers) => as(gateway, team).post('/v1/chat/completions', { ...model(team), messages: prompt }, headers),
  ],
  [
    '/v1/messages',
    (team, headers) =>
      as(gateway, team).post('/v1/messages', { ...model(team), max_tokens: 90, messages: prompt }, headers),
  ],
  [
    '/v1/responses',
    (team, headers) => as(gateway, team).post('/v1/responses', { ...model(team), input: secret }, headers),
  ],
];

test.each(withMessages)(
  'a request to %s, the attempt at its call and the request to its model are one trace of its client (operations 5.2) (spec 14.11)',
  async (route, send) => {
    const team = await given.team({ models: ['sim-echo'] });
    const { traceId, spanId, headers } = clientSpan();

    const answer = await send(team, headers);
    const spans = await receiver.trace(traceId, 3);

    const [server, attempt, client] = spans as [ReceivedSpan, ReceivedSpan, ReceivedSpan];
    expect(answer.status).toBe(200);
    expect(spans.map(({ kind, name }) => [kind, name])).toEqual([
      ['server', `POST ${route}`],
      ['internal', 'call attempt'],
      ['client', 'chat sim-echo'],
    ]);
    expect(spans.map(({ parentId }) => parentId)).toEqual([spanId, server.spanId, attempt.spanId]);
    expect(server.attributes).toMatchObject({
      ...idsOf(answer),
      'http.request.method': 'POST',
      'http.route': route,
      'http.response.status_code': 200,
      'team.id': team.teamId,
      'request.id': answer.headers.get('x-request-id'),
    });
    expect(attempt.attributes).toMatchObject({ ...idsOf(answer), 'team.id': team.teamId, 'call.attempt': 1 });
    const upstream = new URL(gateway.current.environment.UPSTREAM_BASE_URL!);
    expect(client.attributes).toMatchObject({
      ...idsOf(answer),
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'litellm',
      'gen_ai.request.model': 'sim-echo',
      'gen_ai.response.model': 'sim-echo',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'server.address': upstream.hostname,
      'server.port': Number(upstream.port),
    });
    for (const other of [server, attempt])
      expect(Object.keys(other.attributes).filter((name) => name.startsWith('gen_ai.'))).toEqual([]);
    expect(spans.filter(({ isError }) => isError)).toEqual([]);
    expect(sentIn(traceId).map(({ traceparent }) => traceparent)).toEqual([contextOf(client)]);
    expect(server.resource).toMatchObject({ 'service.name': 'job-gateway-api', 'service.version': expect.any(String) });
    expect(client.resource).toMatchObject({ 'service.name': 'job-gateway-worker' });
  },
);

test('a request for embeddings has a client span of its operation (operations 5.2) (spec 14.11)', async () => {
  const team = await given.team();
  const { traceId, headers } = clientSpan();

  expectOk(await as(gateway, team).post('/v1/embeddings', { ...model(team), input: secret }, headers));
  const client = (await receiver.trace(traceId, 3)).at(-1)!;

  expect(client).toMatchObject({ kind: 'client', name: 'embeddings sim-ok' });
  expect(client.attributes).toMatchObject({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.usage.input_tokens': expect.any(Number),
  });
  expect(client.attributes).not.toHaveProperty('gen_ai.usage.output_tokens');
});

test('the client span of a stream ends with it, and has the time to its first piece (operations 5.2) (spec 14.11)', async () => {
  const team = await given.team({ models: ['sim-echo-slow-600'] });
  const { traceId, headers } = clientSpan();

  const messages = [{ role: 'user', content: 'one two three four five six' }];
  expect((await as(gateway, team).singleStream({ messages }, headers)).status).toBe(200);
  const [server, , client] = (await receiver.trace(traceId, 3)) as [ReceivedSpan, ReceivedSpan, ReceivedSpan];

  const first = client.attributes['gen_ai.response.time_to_first_chunk'] as number;
  expect(client.attributes['gen_ai.request.stream']).toBe(true);
  expect(first).toBeGreaterThan(0.3);
  // Two clocks, of which one is set right meanwhile.
  expect(client.endedAt - client.startedAt).toBeGreaterThanOrEqual(first * 1_000 - 20);
  expect(server.endedAt).toBeGreaterThanOrEqual(client.endedAt);
});

test('each model that is asked has a client span of its own, which names the failure (operations 5.2) (spec 14.11)', async () => {
  const team = await given.team({ models: ['sim-fail-503', 'sim-ok'] });
  const { traceId, headers } = clientSpan();

  expectOk(await as(gateway, team).single({}, headers));
  const [, attempt, ...clients] = await receiver.trace(traceId, 4);

  expect(clients.map(({ name, isError, attributes }) => [name, isError, attributes['error.type']])).toEqual([
    ['chat sim-fail-503', true, '503'],
    ['chat sim-ok', false, undefined],
  ]);
  expect(clients.map(({ parentId }) => parentId)).toEqual([attempt!.spanId, attempt!.spanId]);
  expect(sentIn(traceId).map(({ traceparent }) => traceparent)).toEqual(clients.map(contextOf));
});

test('a call whose models all fail has errors in all of its spans (operations 5.2) (spec 14.11)', async () => {
  const team = await given.team({ models: ['sim-fail-503'] });
  const { traceId, headers } = clientSpan();

  const answer = await as(gateway, team).single({}, headers);
  const spans = await receiver.trace(traceId, 3);

  expect(spans.map(({ isError, attributes }) => [isError, attributes['error.type']])).toEqual([
    [true, String(answer.status)],
    [true, 'upstream_error'],
    [true, '503'],
  ]);
});

test('a call that its client reads later belongs to the trace of the request that made it (operations 5.2) (spec 14.11)', async () => {
  const team = await given.team({ models: ['sim-slow-300'] });
  const { traceId, headers } = clientSpan();

  const answer = await as(gateway, team).single({}, { ...headers, prefer: 'respond-async' });
  const [server, attempt] = (await receiver.trace(traceId, 3)) as [ReceivedSpan, ReceivedSpan];

  expect(answer.status).toBe(202);
  expect(attempt.parentId).toBe(server.spanId);
  expect(attempt.endedAt).toBeGreaterThan(server.endedAt);
});

test('a request without a valid traceparent begins a trace (spec 14.11)', async () => {
  const team = await given.team();
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');

  for (const traceparent of [
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
  ]) {
    const answer = await as(gateway, team).single({}, { traceparent, tracestate: 'vendor=1' });
    const [sent] = gateway.current.simulator.requests.slice(-1);

    expect(sent!.request_id).toBe(answer.headers.get('x-request-id'));
    expect(sent!.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    expect(sent!.traceparent).not.toContain(traceId);
    expect(sent!.tracestate).toBeNull();
  }
});

test('a trace that its client does not record is continued to the model, and not exported (spec 14.11)', async () => {
  const team = await given.team();
  const [unsampled, sampled] = [clientSpan('00'), clientSpan()];
  const tracestate = 'vendor=a:b,other=1';

  expectOk(await as(gateway, team).single({}, { ...unsampled.headers, tracestate }));
  expectOk(await as(gateway, team).single({}, { ...sampled.headers, tracestate }));
  const spans = await receiver.trace(sampled.traceId, 3);

  expect(spans.map(({ traceState }) => traceState)).toEqual([tracestate, tracestate, tracestate]);
  expect(receiver.spans.filter(({ traceId }) => traceId === unsampled.traceId)).toEqual([]);
  expect(sentIn(unsampled.traceId)).toEqual([
    expect.objectContaining({ traceparent: expect.stringMatching(/-00$/), tracestate }),
  ]);
});

test('a repetition with an Idempotency-Key has a span of its own, and leaves its call in the trace of the first request (spec 14.11)', async () => {
  const team = await given.team();
  const [first, second] = [clientSpan(), clientSpan()];
  const key = { 'idempotency-key': unique('key') };

  const made = await as(gateway, team).single({}, { ...first.headers, ...key });
  await as(gateway, team).single({}, { ...second.headers, ...key });
  await receiver.trace(first.traceId, 3);
  const again = await receiver.trace(second.traceId, 1);

  expect(again.map(({ kind, attributes }) => [kind, attributes['call.id']])).toEqual([
    ['server', made.headers.get('x-call-id')],
  ]);
  expect(sentIn(second.traceId)).toEqual([]);
});

test('a request of management has a server span alone, and a probe has none (spec 14.11)', async () => {
  const team = await given.team();
  const [managing, probing, refused] = [clientSpan(), clientSpan(), clientSpan()];
  const { url } = gateway.current;
  const path = `/api/teams/${team.teamId}?secret=${secret}`;

  await sendRequest(url, 'get', '/health/ready', { headers: probing.headers });
  await sendRequest(url, 'get', '/api/jobs', { headers: refused.headers });
  await sendRequest(url, 'get', path, { key: gateway.current.masterKey, headers: managing.headers });
  const spans = await receiver.trace(managing.traceId, 1);
  const [unauthorized] = await receiver.trace(refused.traceId, 1);

  expect(spans).toHaveLength(1);
  expect(spans[0]!.name).toBe('GET /api/teams/{team_id}');
  expect(unauthorized).toMatchObject({ isError: false, attributes: { 'http.response.status_code': 401 } });
  expect(receiver.spans.filter(({ traceId }) => traceId === probing.traceId)).toEqual([]);
});

test('a line of the log about a request or a call has the id of its trace (spec 14.9)', async () => {
  const team = await given.team({ models: ['sim-fail-503', 'sim-ok'] });
  const [called, guessed] = [clientSpan(), clientSpan()];

  await as(gateway, team).single({}, called.headers);
  const wrong = { ...guessed.headers, 'x-admin-key': 'wrong' };
  await sendRequest(gateway.current.url, 'get', '/api/organizations', { headers: wrong });

  expect(lines).toContainEqual(expect.objectContaining({ trace_id: called.traceId, model: 'sim-fail-503' }));
  expect(lines).toContainEqual(expect.objectContaining({ trace_id: guessed.traceId, msg: 'request' }));
});

test('no prompt, answer, key or query is in anything that was exported (operations 5.2) (spec 14.11)', async () => {
  const team = await given.team({ models: ['sim-echo'] });
  const { traceId, headers } = clientSpan();
  const { url, masterKey, environment } = gateway.current;

  await as(gateway, team).single({ messages: prompt, metadata: { note: secret } }, headers);
  await sendRequest(url, 'get', `/api/jobs?job_type=${secret}`, { key: team.key, headers });
  await receiver.trace(traceId, 4);

  const exported = receiver.text();
  expect(exported).toContain('call attempt');
  for (const word of [secret, team.key, masterKey, environment.UPSTREAM_MASTER_KEY!])
    expect(exported).not.toContain(word);
  const values = receiver.spans.flatMap(({ attributes }) => Object.values(attributes));
  expect(values.filter((value) => String(value).includes('?'))).toEqual([]);
  const sent = gateway.current.simulator.requests.map(({ key }) => key);
  for (const key of sent) expect(exported).not.toContain(key);
});
