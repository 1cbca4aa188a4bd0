import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { chatWith, hello, readChunks } from './chat.ts';

const gateway = gatewayForTests({ settings: { UPSTREAM_TIMEOUT_SECONDS: '1', CALL_BODY_LIMIT: '2000000' } });
const given = givenIn(gateway);

/** The words by which clients recognize that a prompt is too long. */
const wordsOfClients = ["This model's maximum context length is", 'prompt is too long', 'exceeds the context window'];

test.each<[string, number, string, string | null]>([
  ['sim-overflow-code', 400, 'context_length_exceeded', null],
  ['sim-overflow-litellm', 400, 'context_length_exceeded', null],
  ['sim-overflow-words', 400, 'context_length_exceeded', null],
  ['sim-overflow-llamacpp', 400, 'context_length_exceeded', null],
  ['sim-overflow-words-413', 400, 'context_length_exceeded', null],
  ['sim-overflow-litellm-422', 400, 'context_length_exceeded', null],
  ['sim-policy-code', 400, 'content_policy_violation', null],
  ['sim-policy-words', 400, 'content_policy_violation', null],
  ['sim-not-supported', 400, 'upstream_rejected', null],
  ['sim-not-supported-422', 400, 'upstream_rejected', null],
  ['sim-fail-413', 400, 'upstream_rejected', null],
  ['sim-fail-401', 500, 'upstream_misconfigured', 'false'],
  ['sim-fail-403', 500, 'upstream_misconfigured', 'false'],
  ['sim-fail-404', 500, 'upstream_misconfigured', 'false'],
  ['sim-redirect', 500, 'upstream_misconfigured', 'false'],
  ['sim-fail-500', 502, 'upstream_error', null],
  ['sim-fail-503', 502, 'upstream_error', null],
  ['sim-fail-409', 502, 'upstream_error', null],
  ['sim-reset', 502, 'upstream_error', null],
  ['sim-wrong-type', 500, 'upstream_misconfigured', 'false'],
  ['sim-fail-402', 500, 'upstream_over_budget', 'false'],
  ['sim-error-body', 502, 'upstream_error', null],
  ['sim-fail-408', 504, 'upstream_timeout', null],
  ['sim-fail-504', 504, 'upstream_timeout', null],
  ['sim-hang', 504, 'upstream_timeout', null],
  ['sim-fail-429', 503, 'upstream_rate_limited', null],
])(
  'an upstream like %s is a %i with %s, which a stream and the repetitions of both repeat (spec 17.24)',
  async (model, status, code, shouldRetry) => {
    const team = await given.team({ models: [`${model}-as-leaked-model`], credits: 5 });
    const chat = chatWith(gateway, team);
    const [plainKey, streamKey] = [{ 'idempotency-key': unique('key') }, { 'idempotency-key': unique('key') }];

    const withoutKey = await chat();
    const plain = [await chat({}, plainKey), await chat({}, plainKey)];
    const streams = [await chat({ stream: true }, streamKey), await chat({ stream: true }, streamKey)];

    const error = {
      message: expect.any(String),
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      param: null,
      code,
    };
    for (const answer of [withoutKey, ...plain]) {
      expect([answer.status, answer.body.error]).toEqual([status, error]);
      expect(answer.headers.get('x-job-id')).not.toBeNull();
    }
    for (const stream of streams) expect(readChunks(stream)).toEqual([{ error }]);
    expect(withoutKey.headers.get('x-should-retry')).toBe(shouldRetry);
    expect(withoutKey.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
    expect(plain.map(({ headers }) => headers.get('x-should-retry'))).toEqual(['false', 'false']);
    expect(plain[1]!.headers.get('idempotent-replayed')).toBe('true');
    const all = [withoutKey, ...plain, ...streams].map(({ text, headers }) => [text, [...headers]]);
    // An id may contain any number.
    const shown = JSON.stringify(all).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
    for (const secret of ['leaked', 'litellm', 'sim-', '8192', '210042', 'Azure']) expect(shown).not.toContain(secret);
    if (code === 'context_length_exceeded')
      for (const words of wordsOfClients) expect(withoutKey.body.error.message).toContain(words);
    expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
  },
);

test('the last model that was tried decides the error (spec 17.24)', async () => {
  const team = await given.team({ models: ['sim-fail-503', 'sim-overflow-code', 'sim-ok'] });

  const answer = await chatWith(gateway, team)();

  expect([answer.status, answer.body.error.code]).toEqual([400, 'context_length_exceeded']);
});

test('after an error body of status 200 the next model is tried', async () => {
  const team = await given.team({ models: ['sim-error-body', 'sim-ok'] });

  expect((await chatWith(gateway, team)()).status).toBe(200);
});

test('under /api a prompt that is too long is a 500 with this reason (spec 17.24)', async () => {
  const team = await given.team({ models: ['sim-overflow-litellm'] });

  const answer = await as(gateway, team).single();

  expect([answer.status, answer.body]).toEqual([
    500,
    { code: 'call_failed', detail: "LLM call failed: the prompt is longer than the model's context" },
  ]);
});

test.each([
  ['that does not exist', 'no-such-model'],
  ['of another team', 'other'],
  ['that is inactive', 'inactive'],
  ['without an active member', 'empty'],
])('a model %s is not found, always with the same message (spec 17.23)', async (_, kind) => {
  const team = await given.team();
  const name = kind === 'no-such-model' ? kind : await given.modelGroup(kind === 'empty' ? [] : ['sim-ok']);
  const granted = [team.modelGroup, ...(kind === 'inactive' || kind === 'empty' ? [name] : [])];
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: granted });
  if (kind === 'inactive') await given.admin('put', `/api/model-groups/${name}`, { status: 'inactive' });

  const answers = [
    await chatWith(gateway, team)({ model: name }),
    await chatWith(gateway, team)({ model: name, stream: true }),
  ];

  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.body.error).toEqual({
      message: `The model '${name}' does not exist, or your key has no access to it`,
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    });
  }
});

const send = (method: string, path: string, options: Parameters<typeof sendRequest>[3] = {}) =>
  sendRequest(gateway.current.url, method, path, options);

test.each<[string, string, string, Parameters<typeof sendRequest>[3], number, string]>([
  ['no key', 'post', '/v1/chat/completions', { body: {} }, 401, 'invalid_api_key'],
  ['an unknown key', 'get', '/v1/models', { key: `sk-${'a'.repeat(48)}` }, 401, 'invalid_api_key'],
  ['an unknown path', 'get', '/v1/nothing', {}, 404, 'unknown_url'],
  ['the path /v1', 'get', '/v1', {}, 404, 'unknown_url'],
  ['a method that the path does not have', 'get', '/v1/chat/completions', {}, 405, 'method_not_allowed'],
  ['a body over the limit', 'post', '/v1/chat/completions', { raw: 'x'.repeat(2_000_001) }, 413, 'request_too_large'],
  [
    'an encoding that is not supported',
    'post',
    '/v1/chat/completions',
    { raw: '{}', headers: { 'content-encoding': 'lzma' } },
    415,
    'unsupported_media_type',
  ],
])('%s has an error in the form of OpenAI (spec 17.22)', async (_, method, path, options, status, code) => {
  const answer = await send(method, path, options);

  expect([answer.status, answer.body]).toEqual([
    status,
    { error: { message: expect.any(String), type: 'invalid_request_error', param: null, code } },
  ]);
});

test.each([
  ['no key', undefined],
  ['an unknown key', `sk-${'a'.repeat(48)}`],
])('the 401 of a request with %s has the words that clients look for (spec 17.23)', async (_, key) => {
  const answer = await send('post', '/v1/chat/completions', { key, body: {} });

  expect([answer.status, answer.body.error.message]).toEqual([
    401,
    expect.stringContaining('Incorrect API key provided'),
  ]);
});

test('a chunked body over the limit is a 413', async () => {
  const team = await given.team();
  const body = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 3_000_000; sent += 100_000)
        controller.enqueue(new TextEncoder().encode('x'.repeat(100_000)));
      controller.close();
    },
  });

  const response = await fetch(`${gateway.current.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit);

  expect([response.status, await response.json()]).toMatchObject([413, { error: { code: 'request_too_large' } }]);
});

test.each(['/v1/chat/completions', '/v1/responses', '/v1/responses/input_tokens', '/v1/embeddings', '/v1/unknown'])(
  'clients do not repeat the 401, 403 and 404 of %s (spec 17.23)',
  async (path) => {
    const team = await given.team();
    const body = { model: 'unknown', input: 'hi', messages: [{ role: 'user', content: 'hi' }] };
    const keys = ['sk-wrong', gateway.current.masterKey, team.key];

    const answers = await Promise.all(keys.map((key) => sendRequest(gateway.current.url, 'post', path, { key, body })));

    expect(answers.map(({ headers }) => headers.get('x-should-retry'))).toEqual(['false', 'false', 'false']);
    const refused = answers.map(({ status }) => status);
    expect(refused).toEqual(path === '/v1/unknown' ? [404, 404, 404] : [401, 403, 404]);
  },
);

test('a suspended team is a permission_error (spec 17.23)', async () => {
  const team = await given.team();
  await given.admin('post', `/api/teams/${team.teamId}/suspend`);

  const answer = await chatWith(gateway, team)();

  expect([answer.status, answer.body.error]).toMatchObject([403, { type: 'permission_error', code: 'team_suspended' }]);
});

test('over the limit of the team a call is a 429 with the time to wait in words and in both units (spec 17.23)', async () => {
  const team = await given.team({ rpm_limit: 1 });
  await chatWith(gateway, team)();

  const answer = await chatWith(gateway, team)();

  expect(answer.status).toBe(429);
  expect(answer.body.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
  const [seconds, milliseconds] = [answer.headers.get('retry-after'), answer.headers.get('retry-after-ms')].map(Number);
  expect(milliseconds).toBeGreaterThan(0);
  expect(answer.body.error.message).toBe(
    `Rate limit exceeded. Please try again in ${Math.ceil(milliseconds! / 1_000)}s`,
  );
  expect(seconds! * 1_000).toBeGreaterThanOrEqual(milliseconds!);
  expect(seconds! * 1_000 - milliseconds!).toBeLessThan(1_500);
});

const limitsOf = ({ headers }: Answer) =>
  Object.fromEntries(
    ['requests', 'tokens'].flatMap((name) =>
      ['limit', 'remaining', 'reset'].map((figure) => [
        `${figure}-${name}`,
        headers.get(`x-ratelimit-${figure}-${name}`),
      ]),
    ),
  );
const duration = expect.stringMatching(/^\d+s$/);

test.each<[string, Record<string, number>, Record<string, number>, object]>([
  [
    'calls',
    { rpm_limit: 1, tpm_limit: 500 },
    {},
    { 'limit-requests': '1', 'remaining-requests': '0', 'limit-tokens': '500' },
  ],
  [
    'tokens',
    { rpm_limit: 10, tpm_limit: 500 },
    { max_tokens: 499 },
    { 'limit-requests': '10', 'remaining-requests': '9', 'limit-tokens': '500' },
  ],
])(
  'a 429 of the limit of %s shows both limits, whether Redis or a process refuses (spec 9.3, spec 17.19)',
  async (_, fields, request, limits) => {
    const team = await given.team(fields);
    await chatWith(gateway, team)(request);

    const refused = [await chatWith(gateway, team)(request), await chatWith(gateway, team)(request)];

    for (const answer of refused) {
      expect([answer.status, limitsOf(answer)]).toMatchObject([
        429,
        { ...limits, 'reset-requests': duration, 'reset-tokens': duration },
      ]);
      const tokens = Number(limitsOf(answer)['remaining-tokens']);
      expect(tokens).toBeGreaterThanOrEqual(0);
      expect(tokens).toBeLessThan(500);
    }
  },
);

test('a 429 of the limit of requests that make no call shows that limit and the tokens of the team (spec 17.19)', async () => {
  const team = await given.team({ tpm_limit: 500 });
  const limit = gateway.current.config.RATE_LIMIT_REQUESTS_PER_MINUTE;
  await gateway.current.deps.rateLimits.take([
    { key: `without-call:team:${team.teamId}`, cost: limit, limit, windowMs: 60_000 },
  ]);

  const answer = await chatWith(gateway, team)();

  expect([answer.status, limitsOf(answer)]).toMatchObject([
    429,
    {
      'limit-requests': String(limit),
      'remaining-requests': '0',
      'reset-requests': duration,
      'limit-tokens': '500',
      'remaining-tokens': '500',
      'reset-tokens': '0s',
    },
  ]);
});

test('a call whose job is cancelled meanwhile is refused with job_finished, and its repetition has the same answer', async () => {
  const model = `sim-slow-30000-as-${unique('slow')}`;
  const team = await given.team({ models: [model] });
  const key = { 'idempotency-key': unique('key') };
  const calling = chatWith(gateway, team)({}, key);
  await untilRequested(gateway, model);
  const { jobs } = expectOk(await as(gateway, team).get('/api/jobs'));
  expectOk(await as(gateway, team).post(`/api/jobs/${jobs[0].job_id}/cancel`, {}));

  const answers = [await calling, await chatWith(gateway, team)({}, key)];

  for (const answer of answers) {
    expect([answer.status, answer.body.error]).toMatchObject([
      400,
      { message: 'Job is already cancelled', code: 'job_finished' },
    ]);
  }
  expect(answers[1]!.headers.get('idempotent-replayed')).toBe('true');
});

test('every answer has the id of its request, also an error', async () => {
  const answer = await send('post', '/v1/chat/completions', {
    body: { model: 'x', messages: hello },
    headers: { 'x-request-id': 'trace-1' },
  });

  expect(answer.headers.get('x-request-id')).toBe('trace-1');
});
