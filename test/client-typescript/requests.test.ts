import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  APIConnectionError,
  APITimeoutError,
  ConflictError,
  JobGateway,
  JobGatewayAdmin,
  JobGatewayError,
  PaymentRequiredError,
  RateLimitError,
} from '../../clients/typescript/src/index.ts';
import { openedForTests } from '../support/opened-for-tests.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Behaviour = (response: ServerResponse) => void;

/** A server that answers as it is told, in order, and with an empty object afterwards. */
const server = openedForTests(async () => {
  const seen: Seen[] = [];
  const behaviours: Behaviour[] = [];
  const listening = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    (behaviours.shift() ?? answer(200, {}))(response);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    seen,
    behaviours,
    async close() {
      listening.closeAllConnections();
      listening.close();
    },
  };
});

const answer =
  (status: number, body: object, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const refuse = (status: number, code: string, headers?: Record<string, string>) =>
  answer(status, { detail: 'why', code }, headers);
const soon = { 'Retry-After': '0' };
const hang: Behaviour = () => undefined;
const reset: Behaviour = (response) => response.socket!.destroy();
const half: Behaviour = (response) => {
  response.writeHead(200, { 'Content-Length': '100' }).write('{"job_id"');
  response.socket!.end();
};

beforeEach(() => {
  server.current.seen.length = 0;
  server.current.behaviours.length = 0;
});

const given = (...behaviours: Behaviour[]) => server.current.behaviours.push(...behaviours);
const client = (options = {}) =>
  new JobGateway({ baseUrl: `${server.current.url}/`, apiKey: 'sk-1', teamId: 't', ...options });
const keys = () => server.current.seen.map(({ headers }) => headers['idempotency-key']);
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([
  ['a lost connection', reset],
  ['half of an answer', half],
  ['a 429', refuse(429, 'rate_limited', soon)],
  ['a 409 with Retry-After', refuse(409, 'request_in_progress', soon)],
  ['a 503', refuse(503, 'unavailable', soon)],
  ['a 502 that is no JSON', (response: ServerResponse) => response.writeHead(502).end('<html>')],
])('%s is repeated with the same Idempotency-Key (clients 4)', async (_, behaviour) => {
  given(behaviour, answer(200, { job_id: 'j' }));

  const job = await client().jobs.create({ job_type: 'a' });

  expect(job.job_id).toBe('j');
  expect(keys()).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys()[0]]);
  expect(server.current.seen[1]!.body).toBe('{"job_type":"a","team_id":"t"}');
});

test('two operations have two keys, one of the program is kept, and a read has none (clients 4)', async () => {
  const { jobs } = client();
  await jobs.create({ job_type: 'a' });
  await jobs.create({ job_type: 'a' });
  await jobs.create({ job_type: 'a' }, { idempotencyKey: 'order-1' });
  await jobs.retrieve('j');

  expect(new Set(keys()).size).toBe(4);
  expect(keys().slice(2)).toEqual(['order-1', undefined]);
});

test('a 402 is thrown after one request, with the figures of the budget (clients 4)', async () => {
  given(
    answer(402, { detail: 'Job budget reached: max_calls', code: 'job_budget_reached', cap: 'max_calls', limit: 1 }),
  );

  const error = await thrown(client().jobs.create({ job_type: 'a' }));

  expect(error).toBeInstanceOf(PaymentRequiredError);
  expect(error).toMatchObject({ status: 402, code: 'job_budget_reached', body: { cap: 'max_calls', limit: 1 } });
  expect(server.current.seen).toHaveLength(1);
});

test('after two repetitions the last error is thrown, with its request id (clients 4)', async () => {
  const busy = refuse(429, 'rate_limited', { ...soon, 'X-Request-Id': 'r-9' });
  given(busy, busy, busy, busy);

  const error = await thrown(client().jobs.create({ job_type: 'a' }));

  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', detail: 'why', requestId: 'r-9', retryAfter: 0 });
  expect(server.current.seen).toHaveLength(3);
});

test('a 409 with Retry-After is thrown after two repetitions, one without at once (clients 4)', async () => {
  const busy = refuse(409, 'request_in_progress', soon);
  given(busy, busy, busy, refuse(409, 'job_finished'));

  expect(await thrown(client().jobs.create({ job_type: 'a' }))).toBeInstanceOf(ConflictError);
  expect(server.current.seen).toHaveLength(3);
  expect(await thrown(client().jobs.create({ job_type: 'a' }))).toBeInstanceOf(ConflictError);
  expect(server.current.seen).toHaveLength(4);
});

test('a call whose connection was lost waits for its answer as long as its timeout allows (clients 4)', async () => {
  const busy = refuse(409, 'request_in_progress', soon);
  given(answer(200, { job_id: 'j' }), reset, busy, busy, busy, busy, answer(200, { call_id: 'c' }));
  const job = await client().jobs.create({ job_type: 'a' });

  expect(await job.call({ model_group: 'm', messages: [] })).toEqual({ call_id: 'c' });
});

test('Retry-After of more than a minute is thrown at once (clients 4)', async () => {
  given(refuse(429, 'rate_limited', { 'Retry-After': '61' }));

  expect(await thrown(client().jobs.create({ job_type: 'a' }))).toMatchObject({ retryAfter: 61 });
});

test('an attempt that takes too long is repeated, and then thrown as APITimeoutError (clients 4)', async () => {
  given(hang, hang);

  const error = await thrown(client().jobs.create({ job_type: 'a' }, { timeout: 50, maxRetries: 1 }));

  expect(error).toBeInstanceOf(APITimeoutError);
  expect(error).toBeInstanceOf(APIConnectionError);
  expect(server.current.seen).toHaveLength(2);
});

test('an abort throws the reason of its signal: before, during a request, and during a wait (clients 4)', async () => {
  const reason = new Error('enough');
  const create = (signal: AbortSignal) => thrown(client().jobs.create({ job_type: 'a' }, { signal }));
  const abortedAfterFirst = (behaviour: Behaviour) => {
    const controller = new AbortController();
    given((response) => {
      behaviour(response);
      setImmediate(() => controller.abort(reason));
    });
    return create(controller.signal);
  };

  expect(await create(AbortSignal.abort(reason))).toBe(reason);
  expect(server.current.seen).toHaveLength(0);
  expect(await abortedAfterFirst(hang)).toBe(reason);
  expect(await abortedAfterFirst(refuse(429, 'rate_limited', { 'Retry-After': '50' }))).toBe(reason);
  expect(await thrown(client().jobs.create({ job_type: 'a' }, { signal: AbortSignal.abort() }))).toMatchObject({
    name: 'AbortError',
  });
  expect(server.current.seen).toHaveLength(2);
});

test('a connection that nobody takes is APIConnectionError (clients 4)', async () => {
  const { jobs } = client({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });

  const error = await thrown(jobs.retrieve('j'));

  expect(error).toBeInstanceOf(APIConnectionError);
  expect(error).not.toBeInstanceOf(APITimeoutError);
});

test('creating a user is not repeated when its connection is lost: it takes no Idempotency-Key (clients 4)', async () => {
  given(reset);
  const { users } = new JobGatewayAdmin({ baseUrl: server.current.url, token: 'x' });

  const error = await thrown(users.create({ email: 'a@b.c', display_name: 'A', password: '12345678', role: 'user' }));

  expect(error).toBeInstanceOf(APIConnectionError);
  expect(server.current.seen).toHaveLength(1);
});

test('parts of a path and fields of a query are encoded (clients 1)', async () => {
  const { teams } = new JobGatewayAdmin({ baseUrl: server.current.url, token: 'x', headers: { 'X-Request-Id': 'r' } });
  await teams.retrieve('a/b ?ü');
  const jobs = client().jobs.list({
    status: ['failed', 'cancelled'],
    metadata: { 'cost center': 'a&b' },
    charged: false,
  });
  given(answer(200, { jobs: [{ job_id: '1' }], next_cursor: 'x=' }), answer(200, { jobs: [], next_cursor: 'y' }));
  given(answer(200, { jobs: [{ job_id: '2' }], next_cursor: null }));

  expect((await jobs.toArray()).map(({ job_id }) => job_id)).toEqual(['1', '2']);

  const [team, ...pages] = server.current.seen.map(({ url }) => url);
  expect(team).toBe('/api/teams/a%2Fb%20%3F%C3%BC');
  const filters = 'status=failed&status=cancelled&metadata.cost+center=a%26b&charged=false';
  expect(pages).toEqual(['', 'x%3D', 'y'].map((cursor) => `/api/jobs?${filters}&cursor=${cursor}`));
  expect(server.current.seen[0]!.headers).toMatchObject({ authorization: 'Bearer x', 'x-request-id': 'r' });
});

test('what is missing is named', async () => {
  expect(() => new JobGateway({ apiKey: 'k' })).toThrow(/JOB_GATEWAY_BASE_URL/);
  expect(() => new JobGateway({ baseUrl: 'http://x' })).toThrow(/JOB_GATEWAY_API_KEY/);
  const { jobs, team } = new JobGateway({ baseUrl: 'http://x', apiKey: 'k' });
  expect(await thrown(jobs.create({ job_type: 'a' }))).toBeInstanceOf(JobGatewayError);
  expect(() => team.getCredits()).toThrow(/JOB_GATEWAY_TEAM_ID/);
});

test('a job shows no key, and a field of a later gateway is kept and replaces no method (clients 2)', async () => {
  given(answer(200, { job_id: 'j', status: 'pending', created_at: 'now', later: 1, complete: 'field' }));

  const job = await client().jobs.create({ job_type: 'a' });

  expect(JSON.parse(JSON.stringify(job))).toEqual({ job_id: 'j', status: 'pending', created_at: 'now', later: 1 });
  expect(job.complete).toEqual(expect.any(Function));
});

const withId: [string, (id: string) => Promise<unknown>][] = [
  ['a job', (id) => client().jobs.retrieve(id)],
  ['the last part of a path', (id) => client().webhooks.delete(id)],
  ['a part within a path', (id) => client().webhooks.test(id)],
  [
    'the second id of a path',
    (id) => new JobGatewayAdmin({ baseUrl: server.current.url, token: 'x' }).keys.delete('team', id),
  ],
  ['a list', (id) => client().webhooks.listDeliveries(id)[Symbol.asyncIterator]().next()],
];

test.each(withId.flatMap(([what, send]) => ['', '.', '..'].map((id) => ({ what, id, send }))))(
  'the id "$id" in $what, with which the request would be another one, rejects before it is sent',
  async ({ id, send }) => {
    expect(await thrown(send(id))).toBeInstanceOf(JobGatewayError);
    expect(server.current.seen).toHaveLength(0);
  },
);
