import { budgetOf, classifyRefusal } from '../../src/upstream/classify-refusal.ts';
import { connectionCode } from '../../src/upstream/connection-code.ts';
import { recordedFailure, statusError } from '../../src/upstream/upstream-error.ts';

const litellm = (message: string, type = 'internal_server_error', code: unknown = '400') => ({
  error: { message, type, param: null, code },
});
const spent = (owner: string) => `Budget has been exceeded! ${owner} Current cost: 0.52, Max budget: 0.5`;

test.each<[string, number, unknown, boolean, boolean]>([
  ["LiteLLM's team", 422, litellm(spent('Team=t1'), 'budget_exceeded', '422'), false, true],
  ["LiteLLM's team, before the statuses changed", 400, litellm(spent('Team=t1'), 'budget_exceeded'), false, true],
  ["LiteLLM's team, with the status of a limit", 429, litellm(spent('Team=t1'), 'budget_exceeded', '429'), false, true],
  ["LiteLLM's key", 422, litellm(spent('Key=key (sk-...cdef)'), 'budget_exceeded', '422'), false, true],
  ['an older LiteLLM, without an owner', 400, litellm(spent('').replace('!  ', '! '), 'budget_exceeded'), false, true],
  ['a member of the team', 422, litellm(spent('User=u in Team=t1'), 'budget_exceeded'), false, false],
  [
    "LiteLLM's user",
    422,
    litellm('ExceededBudget: User=u over budget. Spend=2, Budget=1', 'budget_exceeded'),
    false,
    false,
  ],
  ['an organization', 422, litellm(spent('Organization=o'), 'budget_exceeded'), false, false],
  [
    'a window of the team',
    422,
    litellm('ExceededBudget: Team=t1 over 1d budget. Spend=$2', 'budget_exceeded'),
    false,
    false,
  ],
  ['one model', 422, litellm('LiteLLM Team: t1, exceeded budget for model=gpt-4o', 'budget_exceeded'), true, false],
  [
    'one provider',
    429,
    litellm('No deployments available - crossed budget: Exceeded budget for provider openai'),
    true,
    false,
  ],
  [
    'the account at OpenAI',
    429,
    { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
    true,
    false,
  ],
  [
    'the account at Anthropic',
    400,
    { error: { message: 'Your credit balance is too low to access the API' } },
    true,
    false,
  ],
  ['the account at DeepSeek', 402, { error: { message: 'Insufficient Balance' } }, true, false],
])(
  'a budget that is spent, of %s, is over_budget, and another model is tried only where that helps (spec 4.2, 17.24)',
  (_, status, body, mayFallBack, isOfTeam) => {
    expect(statusError(status, body)).toMatchObject({
      message: 'a budget at the upstream is spent',
      failure: 'over_budget',
      mayFallBack,
      isOfTeam,
    });
  },
);

test.each<[string, number, unknown, string]>([
  [
    'words of moderation',
    403,
    { error: { message: 'requires moderation and your input was flagged' } },
    'content_policy',
  ],
  ['a code of a policy', 403, { error: { code: 'content_filter' } }, 'content_policy'],
  ['other words', 403, { error: { message: 'forbidden' } }, 'misconfigured'],
  ['words of a long prompt', 403, { error: { message: 'prompt is too long' } }, 'misconfigured'],
])('a 403 with %s is the failure that its words are (spec 17.24)', (_, status, body, failure) => {
  expect(statusError(status, body)).toMatchObject({ failure, mayFallBack: false });
});

test.each<[string, number, unknown]>([
  [
    'LiteLLM',
    400,
    litellm('/chat/completions: Invalid model name passed in model=gone. Call `/v1/models`', 'invalid_request_error'),
  ],
  ['OpenRouter', 400, { error: { message: 'gone is not a valid model ID', code: 400 } }],
  ['DeepSeek', 400, { error: { message: 'Model Not Exist', type: 'invalid_request_error' } }],
  ['Groq', 400, { error: { message: 'no longer supported', code: 'model_decommissioned' } }],
  ['Mistral', 400, { object: 'error', message: 'Invalid model: gone', type: 'invalid_model' }],
  ['OpenAI', 404, { error: { message: 'The model `gone` does not exist', code: 'model_not_found' } }],
  ['Ollama', 404, { error: { message: "model 'gone' not found" } }],
  ['an answer without a body', 404, undefined],
])('a model that %s does not have is misconfigured (spec 17.24)', (_, status, body) => {
  expect(statusError(status, body)).toMatchObject({
    message: 'the upstream does not know the model',
    failure: 'misconfigured',
    mayFallBack: false,
  });
});

test.each<[string, number, unknown]>([
  ['FastAPI without this path', 404, { detail: 'Not Found' }],
  ['a web server without this path', 404, '<html><title>404 Not Found</title></html>'],
  ['a page that takes no POST', 405, { detail: 'Method Not Allowed' }],
])('%s, at the wrong address, is misconfigured and says so (spec 17.24)', (_, status, body) => {
  expect(statusError(status, body)).toMatchObject({
    message: 'the upstream does not serve such requests at this address',
    failure: 'misconfigured',
  });
});

test.each<[string, number, unknown, boolean]>([
  ['a key that LiteLLM does not have', 401, litellm('Invalid API key provided.', 'token_not_found_in_db', '401'), true],
  [
    'a key that an older LiteLLM does not have',
    401,
    litellm('Invalid proxy server token passed', 'auth_error', '401'),
    true,
  ],
  ['a key that has expired', 401, litellm('Authentication Error - Expired Key.', 'expired_key', '401'), true],
  ['a model that the team may not use there', 403, litellm('no', 'team_model_access_denied', '403'), true],
  ['a model that the key may not use there', 401, litellm('no', 'key_model_access_denied', '401'), true],
  [
    'a team that a person has blocked',
    401,
    litellm('Authentication Error, Team=t1 is blocked.', 'auth_error', '401'),
    false,
  ],
  [
    'a key that a person has blocked',
    401,
    litellm('Authentication Error, Key is blocked.', 'auth_error', '401'),
    false,
  ],
  [
    "a provider that refuses LiteLLM's credential",
    401,
    litellm('OpenAIException', 'authentication_error', '401'),
    false,
  ],
  ['another server', 401, 'Unauthorized', false],
  ['an outage with the same words', 500, litellm('no', 'token_not_found_in_db', '500'), false],
])('%s is a refusal of the team by LiteLLM or not (spec 8.10)', (_, status, body, isOfTeam) => {
  expect(statusError(status, body).isOfTeam).toBe(isOfTeam);
});

test('an error has the type and code of the upstream where they are words, and never its text (spec 4.3)', () => {
  expect(statusError(401, litellm('secret', 'auth_error', '401')).details).toEqual({
    status: 401,
    type: 'auth_error',
    code: '401',
  });
  expect(statusError(503, { error: { type: 'call me at 555', code: { a: 1 } } }).details).toEqual({ status: 503 });
  expect(statusError(503, 'text').details).toEqual({ status: 503 });
  expect(statusError(503, { code: 'x'.repeat(65), type: 'sk-1 2' }).details).toEqual({ status: 503 });
});

test('the reason that is recorded has the status or the code of the connection, and what clients see has neither', () => {
  const error = statusError(401, litellm('no', 'auth_error', '401'));

  expect([error.message, error.reason]).toEqual([
    'the upstream rejected its credential',
    'the upstream rejected its credential (401)',
  ]);
  expect(statusError(418).reason).toBe('the upstream answered with status 418');
});

test.each<[string, unknown, string | undefined]>([
  ['a refused connection', { code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
  ['several addresses', { errors: [{ code: 'ECONNREFUSED' }, { code: 'ENETUNREACH' }] }, 'ECONNREFUSED'],
  ['a socket of undici', { code: 'UND_ERR_SOCKET', cause: { code: 'ECONNRESET' } }, 'ECONNRESET'],
  ['a socket that the other side closed', { code: 'UND_ERR_SOCKET' }, 'UND_ERR_SOCKET'],
  ['a certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['fetch', { cause: { code: 'ENOTFOUND' } }, 'ENOTFOUND'],
  ['no code', new Error('x'), undefined],
  ['a code that is text', { code: 'could not connect to 10.0.0.1' }, undefined],
  ['nothing', undefined, undefined],
])('the code of %s is found', (_, error, code) => {
  expect(connectionCode(error)).toBe(code);
});

test('a refusal for another reason is neither of a budget nor of a model', () => {
  expect([classifyRefusal(litellm('top_p must be at most 1')), budgetOf(litellm('no'))]).toEqual([
    undefined,
    undefined,
  ]);
});

test.each<[number, unknown, string, string | undefined]>([
  [429, { error: { code: 'rate_limit_exceeded', type: 'requests' } }, 'rate_limited', 'rate_limit_exceeded'],
  [429, { error: { code: '429', type: 'throttling_error' } }, 'rate_limited', 'throttling_error'],
  [503, { error: { code: '503', type: 'None' } }, 'error', undefined],
  [500, { error: { code: 'a sentence of the provider' } }, 'error', undefined],
])(
  'of a status %s the attempt records the failure, the status and the code that the provider gave (spec 19.72)',
  (status, body, failure, error_code) => {
    expect(recordedFailure(statusError(status, body))).toEqual({ failure, status_code: status, error_code });
  },
);
