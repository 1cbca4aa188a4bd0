import { randomUUID } from 'node:crypto';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

const lines: Record<string, unknown>[] = [];
const gateway = gatewayForTests({ log: (line) => void lines.push(JSON.parse(line)) });
const given = givenIn(gateway);

const withId = (id: string) => ({ 'x-request-id': id });
const callOf = (team: GivenTeam, { headers }: Answer) =>
  as(gateway, team).get(`/api/jobs/${headers.get('x-job-id')}/calls/${headers.get('x-call-id')}?wait=20`);
const sentFor = (requestId: string) =>
  gateway.current.simulator.requests.filter(({ request_id }) => request_id === requestId);

const model = (team: GivenTeam) => ({ model: team.modelGroup });
const endpoints: [string, (team: GivenTeam, id: string) => Promise<Answer>][] = [
  ['llm-call', async (team, id) => as(gateway, team).call(await given.job(team), {}, withId(id))],
  ['llm-call-stream', async (team, id) => as(gateway, team).stream(await given.job(team), {}, withId(id))],
  ['create-and-call', (team, id) => as(gateway, team).single({}, withId(id))],
  ['create-and-call-stream', (team, id) => as(gateway, team).singleStream({}, withId(id))],
  [
    'create-and-call with respond-async',
    (team, id) => as(gateway, team).single({}, { ...withId(id), prefer: 'respond-async' }),
  ],
  [
    '/v1/chat/completions',
    (team, id) => as(gateway, team).post('/v1/chat/completions', { ...model(team), messages: hello }, withId(id)),
  ],
  [
    '/v1/messages',
    (team, id) =>
      as(gateway, team).post('/v1/messages', { ...model(team), max_tokens: 9, messages: hello }, withId(id)),
  ],
  [
    '/v1/responses',
    (team, id) => as(gateway, team).post('/v1/responses', { ...model(team), input: 'hello' }, withId(id)),
  ],
  [
    '/v1/embeddings',
    (team, id) => as(gateway, team).post('/v1/embeddings', { ...model(team), input: 'hello' }, withId(id)),
  ],
];

test.each(endpoints)(
  'the X-Request-Id of a request to %s is stored with its call, and sent to the model (operations 5.4) (spec 14.8)',
  async (_, send) => {
    const team = await given.team();
    const id = unique('trace');

    const answer = await send(team, id);

    expect(answer.headers.get('x-request-id')).toBe(id);
    expect(expectOk(await callOf(team, answer)).request_id).toBe(id);
    expect(sentFor(id)).toHaveLength(1);
  },
);

test('a call of a request without a valid X-Request-Id has the id that the service gave to it (spec 14.8)', async () => {
  const team = await given.team();

  for (const headers of [{}, withId('two words'), withId('x'.repeat(129))]) {
    const answer = await as(gateway, team).single({}, headers);
    const own = answer.headers.get('x-request-id')!;

    expect(own).toMatch(/^[\da-f-]{36}$/);
    expect(expectOk(await callOf(team, answer)).request_id).toBe(own);
    expect(sentFor(own)).toHaveLength(1);
  }
});

test('the longest valid X-Request-Id, of all visible characters, is stored as it is (spec 14.8)', async () => {
  const team = await given.team();
  const id = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('') + unique('').repeat(3);

  const answer = await as(gateway, team).single({}, withId(id.slice(0, 128)));

  expect(expectOk(await callOf(team, answer)).request_id).toBe(id.slice(0, 128));
});

test('a repetition with the same Idempotency-Key leaves its call with the id of the first request (spec 14.8)', async () => {
  const team = await given.team();
  const key = { 'idempotency-key': unique('key') };
  const [first, second] = [unique('first'), unique('second')];

  const made = await as(gateway, team).single({}, { ...key, ...withId(first) });
  const again = await as(gateway, team).single({}, { ...key, ...withId(second) });

  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('x-request-id')).toBe(second);
  expect(expectOk(await callOf(team, made)).request_id).toBe(first);
  expect(sentFor(second)).toEqual([]);
});

test('each attempt at a model has the id, and so has the line of the worker about one that failed (spec 14.8, spec 14.9)', async () => {
  const team = await given.team({ models: ['sim-fail-503', 'sim-fast'] });
  const id = unique('trace');

  const answer = await as(gateway, team).single({}, withId(id));

  expect(sentFor(id).map((one) => one.model)).toEqual(['sim-fail-503', 'sim-fast']);
  const job_id = answer.headers.get('x-job-id');
  expect(lines).toContainEqual(
    expect.objectContaining({
      request_id: id,
      job_id,
      call_id: answer.headers.get('x-call-id'),
      model: 'sim-fail-503',
    }),
  );
});

test('a call is found by the X-Request-Id of its client, by its own team and by admins alone (spec 14.8, spec 19.30)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const ids = [unique('trace'), randomUUID()];

  for (const id of ids) {
    const answer = await as(gateway, team).single({}, withId(id));
    const hit = expect.objectContaining({ type: 'call', id: answer.headers.get('x-call-id'), team_id: team.teamId });
    const path = (q: string) => `/api/search?q=${encodeURIComponent(q)}`;
    const found = async (q: string) => expectOk(await as(gateway, team).get(path(q))).results;

    expect(await found(id)).toEqual([hit]);
    expect(await found(`"request_id": "${id}",`)).toEqual([hit]);
    expect(await found(id.slice(0, -1))).toEqual([]);
    expect(expectOk(await as(gateway, other).get(path(id))).results).toEqual([]);
    const { masterKey, url } = gateway.current;
    expect(expectOk(await sendRequest(url, 'get', path(id), { key: masterKey })).results).toEqual([hit]);
  }
});

test('a call that a version without request ids has recorded has none, and is made (spec 14.8)', async () => {
  const team = await given.team({ models: ['sim-slow-300'] });
  const job = await given.job(team);
  const database = gateway.current.deps.database.pool;
  await database.query(
    'create function forget_request_id() returns trigger language plpgsql as $$ begin new.request_id = null; return new; end $$',
  );
  await database.query(
    'create trigger forget_request_id before insert on calls for each row execute function forget_request_id()',
  );
  try {
    const answer = await as(gateway, team).call(job, {}, withId('forgotten'));

    expect(expectOk(await callOf(team, answer)).request_id).toBeNull();
  } finally {
    await database.query('drop trigger forget_request_id on calls');
  }
});
