import OpenAI from 'openai';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import type { Answer } from '../../support/send-request.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { embedWith, fromBase64, rounded, vectorsIn } from './embed.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const lastRequest = (model: string) => gateway.current.simulator.requestsFor({ model }).at(-1)!;
const modelOf = (name = 'sim-ok') => `${name}-as-${unique('embedding')}`;
const attemptsOf = async (answer: Answer) => {
  const [job, call] = [answer.headers.get('x-job-id'), answer.headers.get('x-call-id')];
  const { calls } = await given.admin('get', `/api/jobs/${job}/calls`);
  return calls.find(({ call_id }: { call_id: string }) => call_id === call).attempts;
};

test('an answer has the vector of each input by its index, the model as asked for, and the usage (spec 30.3)', async () => {
  const team = await given.team();
  const embed = embedWith(gateway, team);

  const both = expectOk(await embed({ input: ['one', 'two'] }));
  const [two] = vectorsIn(await embed({ input: 'two' }));

  expect(both).toEqual({
    object: 'list',
    model: team.modelGroup,
    data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: expect.any(Array) })),
    usage: { prompt_tokens: 2, total_tokens: 2 },
  });
  expect(both.data[1].embedding).toEqual(two);
});

test.each([
  ['a text', 'one', 1],
  ['texts', ['one', 'two', 'three'], 3],
  ['the tokens of a text', [15_496, 995, 0], 1],
  ['the tokens of texts', [[15_496], [995, 11]], 2],
  ['2,048 texts', Array.from({ length: 2_048 }, (_, index) => `text ${index}`), 2_048],
])('input that is %s is sent as it is and gets its vectors (spec 30.1)', async (_, input, count) => {
  const model = modelOf();
  const team = await given.team({ models: [model] });

  const vectors = vectorsIn(await embedWith(gateway, team)({ input }));

  expect(vectors).toHaveLength(count);
  expect(lastRequest(model).body).toEqual({ input, encoding_format: 'float', model });
});

test.each<[string, Record<string, unknown>, string, string | null]>([
  ['is missing', { input: undefined }, 'missing_required_parameter', 'input'],
  ['is null', { input: null }, 'missing_required_parameter', 'input'],
  ['is an empty text', { input: '' }, 'invalid_value', 'input'],
  ['is an empty list', { input: [] }, 'invalid_value', 'input'],
  ['has an empty text', { input: ['one', ''] }, 'invalid_value', 'input[1]'],
  ['has an empty list', { input: [[1], []] }, 'invalid_value', 'input[1]'],
  ['has a text among tokens', { input: [1, 'two'] }, 'invalid_type', 'input[1]'],
  ['has tokens among texts', { input: ['one', [2]] }, 'invalid_type', 'input[1]'],
  ['has a fraction', { input: [[1, 2.5]] }, 'invalid_type', 'input[0][1]'],
  ['has null', { input: [null] }, 'invalid_type', 'input[0]'],
  ['is an object', { input: { text: 'one' } }, 'invalid_type', 'input'],
  ['has 2,049 texts', { input: Array(2_049).fill('one') }, 'invalid_value', 'input'],
])('input that %s is refused with %s (spec 30.1)', async (_, fields, code, param) => {
  const team = await given.team();

  const answer = await embedWith(gateway, team)(fields);

  expect(answer).toMatchObject({ status: 400, body: { error: { code, param, type: 'invalid_request_error' } } });
  expect(gateway.current.simulator.requestsFor({ model: team.modelGroup })).toEqual([]);
});

test.each([
  [{ encoding_format: 'int8' }, 'invalid_value', 'encoding_format'],
  [{ dimensions: 'many' }, 'invalid_type', 'dimensions'],
  [{ user: 7 }, 'invalid_type', 'user'],
  [{ model: undefined }, 'missing_required_parameter', 'model'],
])('the field %p is refused with %s (spec 30.1)', async (fields, code, param) => {
  const team = await given.team();

  expect(await embedWith(gateway, team)(fields)).toMatchObject({ status: 400, body: { error: { code, param } } });
});

test('null counts as absent, dimensions are sent on, fields of ours are not, and unknown fields are named or let through (spec 30.1)', async () => {
  const model = modelOf();
  const team = await given.team({ models: [model] });
  const embed = embedWith(gateway, team);
  const fields = { user: 'ann', metadata: { room: 'a' }, input_type: 'query', truncate: 'END' };

  const ignored = await embed({ ...fields, dimensions: null, encoding_format: null });
  const sent = lastRequest(model).body;
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, { extra_fields: ['input_type'] });
  const permitted = await embed({ ...fields, dimensions: 3 });

  expect(ignored.headers.get('x-ignored-fields')).toBe('input_type, truncate');
  expect(sent).toEqual({ input: 'The Po is a river.', encoding_format: 'float', model });
  expect(permitted.headers.get('x-ignored-fields')).toBe('truncate');
  expect(lastRequest(model).body).toEqual({
    ...{ input: 'The Po is a river.', dimensions: 3, encoding_format: 'float', input_type: 'query', model },
  });
  expect(vectorsIn(permitted)[0]).toHaveLength(3);
});

test.each(['vectors-numbers', 'vectors-base64'])(
  'a client gets the form that it asks for from an upstream with %s (spec 30.2)',
  async (form) => {
    const model = modelOf(`sim-${form}`);
    const embed = embedWith(gateway, await given.team({ models: [model] }));

    const [numbers] = vectorsIn(await embed());
    const [base64] = vectorsIn(await embed({ encoding_format: 'base64' }));

    expect(lastRequest(model).body).toMatchObject({ encoding_format: 'float' });
    expect(fromBase64(base64)).toEqual(rounded(numbers));
    // Numbers of an upstream go on as they are, with more digits than float32 has.
    expect(numbers.some((number: number) => Math.fround(number) !== number)).toBe(form === 'vectors-numbers');
  },
);

test('the vectors of an answer in another order are those of their indexes (spec 30.3)', async () => {
  const name = unique('embedding');
  const models = [`sim-vectors-reversed-as-${name}`];
  const embed = embedWith(gateway, await given.team({ models }));
  const [one, two] = vectorsIn(await embed({ input: ['one', 'two'] }));
  const [first] = vectorsIn(await embed({ input: 'one' }));

  expect(one).toEqual(first);
  expect(two).not.toEqual(first);
});

test.each(['missing', 'extra', 'uneven', 'null', 'empty', 'unindexed', 'same-index'])(
  'an answer whose vectors are wrong (%s) is a failed attempt (spec 30.3)',
  async (kind) => {
    const team = await given.team({ models: [`sim-vectors-${kind}`] });

    const answer = await embedWith(gateway, team)({ input: ['one', 'two'] });

    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'upstream_error' } } });
    expect(await attemptsOf(answer)).toMatchObject([
      { outcome: 'failed', error: 'the upstream sent an unreadable answer', prompt_tokens: 2 },
    ]);
  },
);

test.each([
  ['sim-fail-503', 502, 'upstream_error'],
  ['sim-fail-429', 503, 'upstream_rate_limited'],
  ['sim-error-body', 502, 'upstream_error'],
  ['sim-wrong-type', 500, 'upstream_misconfigured'],
  ['sim-overflow-code', 400, 'context_length_exceeded'],
  ['sim-unknown', 500, 'upstream_misconfigured'],
])('an upstream that answers embeddings as %s is %d %s (spec 30.7)', async (model, status, code) => {
  const embed = embedWith(gateway, await given.team({ models: [model] }));

  expect(await embed()).toMatchObject({ status, body: { error: { code } } });
});

test('a model that the team cannot call is 404 for embeddings too (spec 30.7)', async () => {
  const embed = embedWith(gateway, await given.team());

  expect(await embed({ model: 'gpt-4o' })).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
});

test('a fallback is tried only where the model group has embedding_fallbacks (spec 30.4)', async () => {
  const second = modelOf();
  const team = await given.team({ models: ['sim-fail-503', second] });
  const embed = embedWith(gateway, team);

  const refused = await embed();
  const before = gateway.current.simulator.requestsFor({ model: second });
  const group = await given.admin('put', `/api/model-groups/${team.modelGroup}`, { embedding_fallbacks: true });
  const answered = await embed();

  expect(refused).toMatchObject({ status: 502, body: { error: { code: 'upstream_error' } } });
  expect(await attemptsOf(refused)).toHaveLength(1);
  expect(before).toEqual([]);
  expect(group).toMatchObject({ embedding_fallbacks: true });
  expect(await attemptsOf(answered)).toMatchObject([{ outcome: 'failed' }, { model: second, outcome: 'succeeded' }]);
});

test('an alias has embedding_fallbacks too, false unless it is given, and chats fall back in any case (spec 30.4)', async () => {
  const access = await given.accessGroup();
  const fields = { access_groups: [access], model_name: 'sim-fail-503', fallbacks: ['sim-ok'] };
  const [usual, same] = [await given.alias(fields), await given.alias({ ...fields, embedding_fallbacks: true })];
  const team = await given.team({ access_groups: [access] });
  const embed = embedWith(gateway, team);
  const chat = { model: usual, messages: [{ role: 'user', content: 'Hello' }] };

  expect(await given.admin('get', `/api/model-aliases/${usual}`)).toMatchObject({ embedding_fallbacks: false });
  expect(await embed({ model: usual })).toMatchObject({ status: 502 });
  expect(await embed({ model: same })).toMatchObject({ status: 200 });
  expect(await as(gateway, team).post('/v1/chat/completions', chat)).toMatchObject({ status: 200 });
});

test('a limit of generated tokens and blocked fields of a model do not spoil embeddings (spec 30.1)', async () => {
  const model = modelOf();
  const team = await given.team({ models: [model] });
  const path = `/api/model-groups/${team.modelGroup}`;
  await given.admin('put', path, { max_output_tokens: 100, blocked_fields: ['encoding_format'] });

  expect(await embedWith(gateway, team)()).toMatchObject({ status: 200 });
  expect(lastRequest(model).body).toEqual({ input: 'The Po is a river.', model });
});

test('a call of embeddings is recorded with its tokens and cost, and counts for the limit of tokens by its prompt alone (spec 30.7)', async () => {
  const team = await given.team({ models: ['sim-prompt-tokens-40'], tpm_limit: 1_000 });

  const answer = await embedWith(gateway, team)({ input: [1, 2, 3] }, { 'x-call-purpose': 'index' });

  const [job, call] = [answer.headers.get('x-job-id'), answer.headers.get('x-call-id')];
  const recorded = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?include=request,response`));
  expect(answer.headers.get('x-ratelimit-remaining-tokens')).toBe('997');
  expect(recorded).toMatchObject({
    ...{ status: 'succeeded', purpose: 'index', prompt_tokens: 40, completion_tokens: 0, total_tokens: 40 },
    ...{ cost_usd: expect.closeTo(0.00004, 10), finish_reason: 'stop', streamed: false },
    request: { input: [1, 2, 3], encoding_format: 'float' },
    response: { vectors: 1, dimensions: 8 },
  });
});

test('a job with a budget reserves the prompt of embeddings alone (spec 30.7)', async () => {
  const team = await given.team();
  const job = await given.job(team, { budget: { max_tokens: 40 } });
  const embed = embedWith(gateway, team);

  expect(await embed({ input: [1, 2, 3] }, { 'x-job-id': job })).toMatchObject({ status: 200 });
  expect(await embed({ input: Array(80).fill(1) }, { 'x-job-id': job })).toMatchObject({
    body: { error: { code: 'job_budget_reached' } },
  });
});

test('a request with an Idempotency-Key is made once, and its answer is the same bytes (spec 30.6)', async () => {
  const model = modelOf();
  const embed = embedWith(gateway, await given.team({ models: [model] }));
  const headers = { 'idempotency-key': unique('key') };

  const [first, second] = [await embed({}, headers), await embed({}, headers)];
  const other = await embed({ encoding_format: 'base64' }, headers);

  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect(other).toMatchObject({ status: 400, body: { error: { code: 'idempotency_key_reused' } } });
});

test("the openai client's embeddings.create has the vectors of the upstream, in base64 by default and as numbers (doors 17)", async () => {
  const team = await given.team();
  const client = new OpenAI({ apiKey: team.key, baseURL: `${gateway.current.url}/v1`, maxRetries: 0 });
  const request = { model: team.modelGroup, input: ['one', 'two'] };

  const byDefault = await client.embeddings.create(request);
  const numbers = await client.embeddings.create({ ...request, encoding_format: 'float' });

  expect(byDefault.data.map(({ embedding }) => embedding)).toEqual(
    numbers.data.map(({ embedding }) => rounded(embedding)),
  );
  expect(byDefault.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 });
});

test('an answer that is too long for Redis is that of the record (spec 30.3)', async () => {
  const embed = embedWith(gateway, await given.team());
  const input = Array.from({ length: 40 }, (_, index) => `text ${index}`);

  const vectors = vectorsIn(await embed({ input, dimensions: 2_048 }));

  expect(vectors).toHaveLength(40);
  expect(vectors[39]).toEqual(vectorsIn(await embed({ input: 'text 39', dimensions: 2_048 }))[0]);
});

test('a client that leaves and repeats its request with a retry count receives the call that it has made (spec 18.7, spec 30.6)', async () => {
  const model = modelOf('sim-slow-500');
  const team = await given.team({ models: [model] });
  const leaving = new AbortController();
  const send = (count: string, signal?: AbortSignal) =>
    fetch(`${gateway.current.url}/v1/embeddings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${team.key}`,
        'content-type': 'application/json',
        'x-stainless-retry-count': count,
      },
      body: JSON.stringify({ model: team.modelGroup, input: 'one' }),
      ...(signal && { signal }),
    });
  const left = send('0', leaving.signal).catch(() => 'left');
  await untilRequested(gateway, model);
  leaving.abort();
  expect(await left).toBe('left');

  const repeated = await send('1');

  expect(repeated.status).toBe(200);
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
});

test('a request that is too long to be held by a worker gets its vectors too (spec 30.3)', async () => {
  const embed = embedWith(gateway, await given.team({ tpm_limit: 10_000_000 }));
  const input = ['x'.repeat(300_000), 'two'];

  const [, two] = vectorsIn(await embed({ input }));

  expect(two).toEqual(vectorsIn(await embed({ input: 'two' }))[0]);
});
