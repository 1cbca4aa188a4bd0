import { gatewayForTests } from '../support/gateway.ts';
import { sendRequest } from '../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const send = (method: string, path: string) => sendRequest(gateway.current.url, method, path);

const ofOpenAi = [
  'conversations',
  'completions',
  'images/generations',
  'audio/speech',
  'files',
  'moderations',
  'batches',
  'threads/thread_1/messages',
  'engines/x/completions',
];

test.each(
  ofOpenAi.flatMap((path) => [`/v1/${path}`, `/openai/v1/${path}`, `/api/v1/${path}`, `/v1/v1/${path}`, `/${path}`]),
)('the unknown path %s is answered in the form of OpenAI with what there is (spec 1.17, spec 17.22)', async (path) => {
  const { status, body } = await send('post', path);

  expect(status).toBe(404);
  expect(body.error).toEqual({
    message: expect.stringMatching(/POST \/v1\/chat\/completions.*GET \/v1\/models\b/),
    type: 'invalid_request_error',
    param: null,
    code: 'unknown_url',
  });
});

test.each([
  '/chat/completions',
  '/v1/v1/chat/completions',
  '/api/v1/chat/completions',
  '/openai/chat/completions',
  '/openai/v1/chat/completions/',
  '/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21',
  '/V1/Chat/Completions',
  '//v1//chat/completions',
  '/gateway/v1/chat/completions',
])('%s is answered with the path that its client meant (spec 1.17)', async (path) => {
  const { status, body } = await send('post', path);

  expect([status, body.error?.message ?? body.detail]).toEqual([
    404,
    'Not Found: did you mean POST /v1/chat/completions? The base URL of OpenAI clients ends with /v1, once',
  ]);
});

test.each(['/embeddings', '/v1/v1/embeddings', '/openai/deployments/ada/embeddings'])(
  '%s is answered with the path of embeddings (spec 1.17)',
  async (path) => {
    const { status, body } = await send('post', path);

    expect([status, body.error.message]).toEqual([404, expect.stringContaining('did you mean POST /v1/embeddings?')]);
  },
);

test.each([
  ['/anthropic/v1/messages', '/v1/messages'],
  ['/v1/v1/messages', '/v1/messages'],
  ['/messages', '/v1/messages'],
  ['/api/v1/messages/count_tokens', '/v1/messages/count_tokens'],
])(
  '%s is answered in the form of Anthropic with the path that its client meant (spec 1.17, spec 28.12)',
  async (path, meant) => {
    const { status, body, headers } = await send('post', path);

    expect([status, body]).toEqual([
      404,
      {
        type: 'error',
        error: {
          type: 'not_found_error',
          message: `Not Found: did you mean POST ${meant}? The base URL of Anthropic's clients ends before /v1`,
          details: { error_code: 'unknown_url' },
        },
        request_id: headers.get('request-id'),
      },
    ]);
  },
);

test.each(['/v1/messages/batches', '/v1/messages/msg_1', '/anthropic/v1/messages/batches'])(
  '%s is answered in the form of Anthropic with what there is (spec 1.17, spec 28.1)',
  async (path) => {
    const { status, body } = await send('post', path);

    expect([status, body.error.type]).toEqual([404, 'not_found_error']);
    expect(body.error.message).toMatch(/POST \/v1\/messages, POST \/v1\/messages\/count_tokens/);
  },
);

test.each([
  ['/jobs/create', 'did you mean POST /api/jobs/create?'],
  ['/api/v1/jobs', 'did you mean GET /api/jobs?'],
  ['/api/v2/teams/a', 'did you mean GET or PUT /api/teams/{team_id}?'],
  ['/API/Jobs', 'did you mean GET /api/jobs?'],
  ['/api/jbos', '/openapi.json lists every path'],
  ['/api/models', 'did you mean GET /v1/models?'],
  ['/nowhere', '/openapi.json lists every path'],
  [`/${'a/'.repeat(5_000)}jobs`, 'did you mean GET /api/jobs?'],
])('the unknown path %.20s is answered in the form of the api with a hint (spec 1.17)', async (path, hint) => {
  const { status, body } = await send('get', path);

  expect([status, body]).toEqual([404, { detail: expect.stringContaining(hint), code: 'path_not_found' }]);
});

test.each([
  ['get', '/v1/chat/completions', 'POST'],
  ['delete', '/v1/models', 'GET, HEAD'],
  ['put', '/api/jobs', 'GET, HEAD'],
  ['post', '/docs', 'GET, HEAD'],
  ['delete', '/api/teams/create', 'POST, GET, PUT, HEAD'],
])('%s %s is a 405 whose sentence has the methods of the path (spec 1.2, spec 1.17)', async (method, path, methods) => {
  const { status, body, headers } = await send(method, path);

  expect([status, body.error?.code ?? body.code]).toEqual([405, 'method_not_allowed']);
  expect(body.error?.message ?? body.detail).toBe(`Method Not Allowed: this path takes ${headers.get('allow')}`);
  expect(headers.get('allow')!.split(', ').toSorted()).toEqual(methods.split(', ').toSorted());
});

test('a slash at the end of a path is the same path (spec 1.17)', async () => {
  expect((await send('get', '/v1/models/')).status).toBe(401);
  expect((await send('get', '/api/jobs/')).status).toBe(401);
});
