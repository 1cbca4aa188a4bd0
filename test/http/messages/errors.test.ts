import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { messagesWith, readNamedEvents } from './messages.ts';

const gateway = gatewayForTests({ settings: { UPSTREAM_TIMEOUT_SECONDS: '1', CALL_BODY_LIMIT: '2000000' } });
const given = givenIn(gateway);

const tooLong = /^prompt is too long: \d+ tokens > \d+ maximum$/;

test.each<[string, number, string, string]>([
  ['sim-overflow-code', 400, 'invalid_request_error', 'context_length_exceeded'],
  ['sim-overflow-words-413', 400, 'invalid_request_error', 'context_length_exceeded'],
  ['sim-policy-words', 400, 'invalid_request_error', 'content_policy_violation'],
  ['sim-fail-413', 400, 'invalid_request_error', 'upstream_rejected'],
  ['sim-fail-401', 500, 'api_error', 'upstream_misconfigured'],
  ['sim-fail-402', 500, 'api_error', 'upstream_over_budget'],
  ['sim-fail-500', 502, 'api_error', 'upstream_error'],
  ['sim-error-body', 502, 'api_error', 'upstream_error'],
  ['sim-hang', 504, 'timeout_error', 'upstream_timeout'],
  ['sim-fail-429', 529, 'overloaded_error', 'upstream_rate_limited'],
])(
  'an upstream like %s is a %i %s, whole and streamed, with the headers of its call (spec 28.10, spec 28.12)',
  async (model, status, type, code) => {
    const team = await given.team({ models: [`${model}-as-leaked-model`], credits: 5 });
    const messages = messagesWith(gateway, team);

    for (const stream of [false, true]) {
      const answer = await messages({ stream });
      expect([answer.status, answer.body]).toEqual([
        status,
        {
          type: 'error',
          error: { type, message: expect.any(String), details: { error_code: code } },
          request_id: answer.headers.get('request-id'),
        },
      ]);
      expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'));
      expect(answer.headers.get('retry-after')).toBe(status === 529 ? '5' : null);
      expect(answer.headers.get('x-call-id')).not.toBeNull();
      if (code === 'context_length_exceeded') expect(answer.body.error.message).toMatch(tooLong);
      const shown = JSON.stringify([answer.text, [...answer.headers]]);
      for (const secret of ['leaked', 'litellm', 'reduce', 'resulted']) expect(shown).not.toContain(secret);
      const job = await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`);
      expect(expectOk(job).status).toBe('failed');
    }
  },
);

test('a failure after the first piece is an event with the body of the error, and the end (spec 28.12)', async () => {
  const team = await given.team({ models: ['sim-error-in-stream-3'] });

  const answer = await messagesWith(gateway, team)({ stream: true });

  expect(answer.status).toBe(200);
  const events = readNamedEvents(answer.text);
  expect(events[0].type).toBe('message_start');
  expect(events.map(({ type }) => type)).toContain('content_block_delta');
  expect(events.at(-1)).toEqual({
    type: 'error',
    error: { type: 'api_error', message: expect.any(String), details: { error_code: 'upstream_error' } },
    request_id: answer.headers.get('request-id'),
  });
});

test.each<[string, object, string | null]>([
  ['without messages', { messages: undefined }, 'Field required: messages'],
  ['without max_tokens', { max_tokens: null }, 'max_tokens'],
  ['with an unknown role', { messages: [{ role: 'tool', content: 'a' }] }, 'messages[0].role'],
  [
    'with a text that is none',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 1 }] }] },
    'messages[0].content[0].text',
  ],
  ['with a block without a type', { messages: [{ role: 'user', content: [{}] }] }, 'messages[0].content[0].type'],
  ['with a temperature that is none', { temperature: 'hot' }, 'temperature'],
  ['with a user that is none', { metadata: { user_id: 1 } }, 'metadata.user_id'],
  ['with nothing for the model', { messages: [{ role: 'user', content: [{ type: 'container_upload' }] }] }, 'messages'],
  ['with nothing but hosted tools', { tools: [{ type: 'web_search_20250305', name: 'w' }] }, 'tools'],
])('a message %s is a 400 that names the place (spec 28.3, spec 28.12)', async (_name, fields, place) => {
  const team = await given.team();

  const answer = await messagesWith(gateway, team)(fields as Record<string, unknown>);

  expect([answer.status, answer.body.error.type]).toEqual([400, 'invalid_request_error']);
  expect(answer.body.error.message).toContain(place);
  expect(answer.headers.get('x-job-id')).toBeNull();
});

test('refusals of a message have the status and the words that clients of Anthropic know (spec 28.12)', async () => {
  const team = await given.team({ credits: 0, low_balance_policy: 'block' });
  const rich = await given.team();
  const messages = messagesWith(gateway, team);
  const summary = ({ status, body, headers }: Awaited<ReturnType<typeof messages>>) => [
    status,
    body.error.type,
    body.error.details.error_code,
    headers.get('x-should-retry'),
  ];

  const poor = await messages();
  expect(summary(poor)).toEqual([402, 'billing_error', 'insufficient_quota', 'false']);
  expect(poor.body.error.message).toBe('Your credit balance is too low');
  expect(summary(await messages({}, { 'x-api-key': 'sk-wrong' }))).toEqual([
    401,
    'authentication_error',
    'invalid_api_key',
    'false',
  ]);
  expect(summary(await messages({ model: 'unknown' }))).toEqual([404, 'not_found_error', 'model_not_found', 'false']);
  const finished = await given.job(rich);
  expectOk(await as(gateway, rich).complete(finished));
  expect(summary(await messagesWith(gateway, rich)({}, { 'x-job-id': finished }))).toEqual([
    400,
    'invalid_request_error',
    'job_finished',
    null,
  ]);
  const foreign = await given.job(await given.team());
  expect(summary(await messagesWith(gateway, rich)({}, { 'x-job-id': foreign }))).toEqual([
    403,
    'permission_error',
    'job_of_another_team',
    'false',
  ]);
  const limited = await given.team({ rpm_limit: 1 });
  expectOk(await messagesWith(gateway, limited)());
  const refused = await messagesWith(gateway, limited)();
  expect(summary(refused)).toEqual([429, 'rate_limit_error', 'rate_limit_exceeded', null]);
  expect(refused.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
});

test('paths, methods and bodies that are not served are answered in the form of Anthropic (spec 28.12)', async () => {
  const team = await given.team();
  const send = (method: string, path: string, options: object = {}) =>
    sendRequest(gateway.current.url, method, path, { key: team.key, ...options });
  const json = { 'content-type': 'application/json' };
  const tooLarge = { raw: `{"model":"${'x'.repeat(2_100_000)}"}`, headers: json };

  for (const [answer, status, type, code] of [
    [await send('post', '/v1/messages/batches', { body: {} }), 404, 'not_found_error', 'unknown_url'],
    [await send('get', '/v1/messages'), 405, 'invalid_request_error', 'method_not_allowed'],
    [await send('post', '/v1/messages', tooLarge), 413, 'request_too_large', 'request_too_large'],
    [
      await send('post', '/v1/messages', { raw: 'x', headers: { 'content-encoding': 'odd' } }),
      415,
      'invalid_request_error',
      'unsupported_media_type',
    ],
    [await send('post', '/v1/messages', { raw: '{', headers: json }), 400, 'invalid_request_error', 'invalid_json'],
    [
      await send('get', '/v1/models/unknown', { headers: { 'anthropic-version': 'x' } }),
      404,
      'not_found_error',
      'model_not_found',
    ],
  ] as const)
    expect([answer.status, answer.body]).toEqual([
      status,
      {
        type: 'error',
        error: { type, message: expect.any(String), details: { error_code: code } },
        request_id: answer.headers.get('request-id'),
      },
    ]);
});
