import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { CallerId, JsonObject, Limit, optional, Uuid } from '../../src/contracts/fields.ts';
import { bodyLimits } from '../../src/http/read-body.ts';
import { route } from '../../src/http/route.ts';
import { ask } from '../support/ask.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { rawRequest, sendAndReset, sendRaw } from '../support/raw.ts';

/** The general part of what a request may have wrong, on routes that only tell what arrived. */
const Thing = z.object({
  team_id: CallerId,
  count: optional(z.int().min(0)),
  metadata: optional(JsonObject),
  many: optional(z.array(z.string())),
});

const echo = route(
  {
    method: 'post',
    path: '/test/echo',
    summary: 'Tells what arrived',
    tag: 'Test',
    auth: ['admin'],
    body: Thing,
    response: z.object({ team_id: z.string() }),
  },
  async ({ body }) => ({ team_id: body.team_id }),
);
const large = { ...echo, spec: { ...echo.spec, path: '/test/large', largeBody: true } };
const show = route(
  {
    method: 'get',
    path: '/test/things/{job_id}',
    summary: 'Shows one',
    tag: 'Test',
    auth: ['admin'],
    params: z.object({ job_id: Uuid }),
    query: z.object({ limit: Limit, text: optional(z.string()) }),
    response: z.object({ job_id: z.string(), limit: z.number() }),
  },
  async ({ params, query }) => ({ job_id: params.job_id, limit: query.limit }),
);

const bare = route(
  {
    method: 'post',
    path: '/test/bare',
    summary: 'Takes no body',
    tag: 'Test',
    auth: ['admin'],
    response: z.object({ id: z.string() }),
  },
  async ({ newId }) => ({ id: newId('bare') }),
);

const gateway = gatewayForTests({ worker: false, routes: [echo, large, show, bare] });
const url = () => gateway.current.url;
const key = () => gateway.current.masterKey;
const jobId = '0b0e3c4a-8a50-4f9c-9a05-3f4a2c1d5e6f';

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, path = '/test/echo') =>
  ask(url(), 'post', path, { key: key(), raw, headers: { 'content-type': 'application/json', ...headers } });
const get = (path: string) => ask(url(), 'get', path, { key: key() });

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('bodies', () => {
  test.each([
    ['nothing', '', ['body'], 'missing', 'Field required'],
    ['null', 'null', ['body'], 'missing', 'Field required'],
    ['a brace', '{', ['body', 1], 'json_invalid', 'JSON decode error'],
    ['a trailing comma', '{"team_id":"a",}', ['body', 15], 'json_invalid', 'JSON decode error'],
    ['a missing value', '{"team_id":}', ['body', 11], 'json_invalid', 'JSON decode error'],
    ['NaN', '{"count":NaN}', ['body', 9], 'json_invalid', 'JSON decode error'],
    ['two values', '{} {}', ['body', 3], 'json_invalid', 'JSON decode error'],
    ['half a word', '{"count":nul', ['body', 12], 'json_invalid', 'JSON decode error'],
    ['an array', '[]', ['body'], 'model_attributes_type', expect.any(String)],
    ['a string', '"x"', ['body'], 'model_attributes_type', expect.any(String)],
    ['an empty object', '{}', ['body', 'team_id'], 'missing', 'Field required'],
    ['a null field', '{"team_id":null}', ['body', 'team_id'], 'string_type', 'Input should be a valid string'],
    ['NUL', '{"team_id":"a\\u0000"}', ['body', 'team_id'], 'value_error', expect.any(String)],
    [
      'a lone surrogate',
      '{"metadata":{"a":["\\ud800"]}}',
      ['body', 'metadata', 'a', 0],
      'value_error',
      expect.any(String),
    ],
    ['NUL in a key', '{"metadata":{"a\\u0000":1}}', ['body', 'metadata'], 'value_error', expect.any(String)],
    ['__proto__', '{"metadata":{"__proto__":1}}', ['body', 'metadata'], 'value_error', expect.any(String)],
    ['constructor', '{"constructor":{"prototype":1}}', ['body'], 'value_error', expect.any(String)],
    ['a string for an object', '{"team_id":"a","metadata":"x"}', ['body', 'metadata'], 'dict_type', expect.any(String)],
    ['an array for an object', '{"team_id":"a","metadata":[]}', ['body', 'metadata'], 'dict_type', expect.any(String)],
    [
      'text for an integer',
      '{"team_id":"a","count":"1"}',
      ['body', 'count'],
      'int_type',
      'Input should be a valid integer',
    ],
    ['true for an integer', '{"team_id":"a","count":true}', ['body', 'count'], 'int_type', expect.any(String)],
    ['a fraction', '{"team_id":"a","count":1.5}', ['body', 'count'], 'int_type', expect.any(String)],
    ['1e400', '{"team_id":"a","count":1e400}', ['body', 'count'], 'int_type', expect.any(String)],
    [
      'a huge integer',
      '{"team_id":"a","count":9007199254740993}',
      ['body', 'count'],
      'less_than_equal',
      expect.any(String),
    ],
    [
      '-1',
      '{"team_id":"a","count":-1}',
      ['body', 'count'],
      'greater_than_equal',
      'Input should be greater than or equal to 0',
    ],
    [
      'an id of 256 characters',
      `{"team_id":"${'a'.repeat(256)}"}`,
      ['body', 'team_id'],
      'string_too_long',
      'String should have at most 255 characters',
    ],
    [
      'an empty id',
      '{"team_id":""}',
      ['body', 'team_id'],
      'string_too_short',
      'String should have at least 1 character',
    ],
    ['a line break in an id', '{"team_id":"a\\n"}', ['body', 'team_id'], 'string_pattern_mismatch', expect.any(String)],
    [
      '33 levels',
      `{"metadata":${nested(33)}}`,
      expect.arrayContaining(['body', 'metadata']),
      'recursion_limit',
      expect.any(String),
    ],
    ['5,000 brackets', '['.repeat(5_000), ['body', 5_000], 'json_invalid', 'JSON decode error'],
    [
      '5,000 closed brackets',
      '['.repeat(5_000) + ']'.repeat(5_000),
      expect.any(Array),
      'recursion_limit',
      expect.any(String),
    ],
  ])('%s is a 422', async (_what, body, loc, type, msg) => {
    const answer = await post(body);

    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ detail: [{ loc, msg, type }] });
  });

  test.each([
    ['with a byte order mark', '\uFEFF{"team_id":"a"}', 'a'],
    ['with a field twice: the last one counts, for everybody', '{"team_id":"b","team_id":"a"}', 'a'],
    ['with unknown fields', '{"team_id":"a","other":1}', 'a'],
    ['32 levels deep', `{"team_id":"a","metadata":${nested(32)}}`, 'a'],
    ['with strange ids', '{"team_id":"../\u{1F600}/__proto__"}', '../\u{1F600}/__proto__'],
  ])('a body %s is taken', async (_what, body, teamId) => {
    expect(await post(body)).toMatchObject({ status: 200, body: { team_id: teamId } });
  });

  test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonx'], ['']])(
    'JSON declared as "%s" is no object',
    async (contentType) => {
      const answer = await post(new TextEncoder().encode('{"team_id":"a"}'), { 'content-type': contentType });

      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body'], type: 'model_attributes_type' }] },
      });
    },
  );

  test.each(['application/json', 'application/json; charset=UTF-8', 'application/vnd.x+json', 'APPLICATION/JSON ;a=b'])(
    '%s is JSON',
    async (contentType) => {
      expect((await post('{"team_id":"a"}', { 'content-type': contentType })).status).toBe(200);
    },
  );

  test.each([
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': 'application/json;charset="latin1"' }],
    [{ 'content-encoding': 'zstd' }],
    [{ 'content-encoding': 'gzip, br' }],
  ] as Record<string, string>[][])('%j is a 415', async (headers) => {
    const answer = await post('{"team_id":"a"}', headers);

    expect(answer).toMatchObject({ status: 415, body: { detail: expect.any(String) } });
  });

  test('bytes that are not UTF-8 are not guessed at', async () => {
    const answer = await post(new Uint8Array([0x22, 0xff, 0x22]));

    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'json_invalid' }] } });
  });

  test('a compressed body is read, a damaged one refused, one that grows too large as well', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    const compressed = new Uint8Array(gzipSync('{"team_id":"a"}'));
    const bomb = new Uint8Array(gzipSync(`{"team_id":"${' '.repeat(20_000_000)}"}`));

    expect((await post(compressed, gzip)).status).toBe(200);
    expect((await post(compressed.slice(0, -9), gzip)).status).toBe(422);
    expect((await post('not gzip at all', gzip)).status).toBe(422);
    expect((await post(bomb, gzip)).status).toBe(413);
  });

  test.each([
    ['/test/echo', bodyLimits.standard],
    ['/test/large', bodyLimits.call],
  ])('%s takes %i bytes and not one more', async (path, limit) => {
    const body = (bytes: number) => `{"team_id":"a"${' '.repeat(bytes - 15)}}`;

    expect((await post(body(limit), {}, path)).status).toBe(200);
    const refused = await post(body(limit + 1), {}, path);
    expect(refused).toMatchObject({ status: 413, body: { detail: 'Request body too large' } });
  });

  test('a list of mistakes ends somewhere', async () => {
    const answer = await post(JSON.stringify({ team_id: 'a', many: Array(500).fill(1) }));

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toHaveLength(100);
    expect(answer.body.detail[99]).toMatchObject({ loc: ['body', 'many', 99], type: 'string_type' });
  });
});

describe('paths and queries', () => {
  test.each([['not-a-uuid'], ['%00'], ['..%2f'], ['g'.repeat(36)], [`${jobId}0`], [`{${jobId}}`], ['%20']])(
    'job_id %s is a 422',
    async (id) => {
      const answer = await get(`/test/things/${id}`);

      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['path', 'job_id'], type: 'uuid_parsing' }] },
      });
    },
  );

  test('an id in upper case is the same', async () => {
    expect((await get(`/test/things/${jobId.toUpperCase()}`)).body.job_id).toBe(jobId);
  });

  test.each(['%zz', '%ff', '%', 'a%2', '%c3%28'])(
    '%s is no part of a path, which is found out in its turn',
    async (id) => {
      const path = `/test/things/${id}`;
      const headers = { 'content-type': 'application/json' };

      const item = { loc: ['path', 'job_id'], msg: 'Input should be valid percent-encoding', type: 'value_error' };
      expect(await get(path)).toMatchObject({ status: 422, body: { detail: [item] } });
      expect((await ask(url(), 'get', path)).status).toBe(401);
      expect((await ask(url(), 'post', path, { headers, raw: '{' })).headers.get('allow')).toBe('GET, HEAD');
      expect((await get(`/test/nowhere/${id}`)).status).toBe(404);
    },
  );

  test.each([
    ['0', 'greater_than_equal'],
    ['-1', 'greater_than_equal'],
    ['1000000000', 'less_than_equal'],
    ['1e18', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['ten', 'int_parsing'],
    ['', 'int_parsing'],
    ['0x10', 'int_parsing'],
    ['1&limit=2', 'int_parsing'],
  ])('limit=%s is a 422', async (limit, type) => {
    const answer = await get(`/test/things/${jobId}?limit=${limit}`);

    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'limit'], type }] } });
  });

  test.each(['limit[]=1', 'limit[a]=1'])('%s is a 422', async (query) => {
    expect(await get(`/test/things/${jobId}?${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'limit'], type: 'int_parsing' }] },
    });
  });

  test('NUL in a query is a 422, and everything that is wrong is told at once', async () => {
    expect(await get(`/test/things/${jobId}?text=%00`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'text'] }] },
    });
    expect((await get('/test/things/x?limit=0')).body.detail).toMatchObject([
      { loc: ['path', 'job_id'] },
      { loc: ['query', 'limit'] },
    ]);
  });

  test('an unknown path is a 404, a wrong method a 405 that says which are right', async () => {
    const nowhere = await get('/nowhere');
    const wrong = await ask(url(), 'delete', `/test/things/${jobId}`);

    expect(nowhere).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
    expect(wrong).toMatchObject({ status: 405, body: { detail: 'Method Not Allowed' } });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
    expect((await ask(url(), 'options', '/test/echo')).status).toBe(405);
    expect((await ask(url(), 'get', '/test/echo')).headers.get('allow')).toBe('POST');
  });

  test('HEAD is GET without a body', async () => {
    const answer = await ask(url(), 'head', `/test/things/${jobId}`, { key: key() });

    expect(answer).toMatchObject({ status: 200, text: '' });
  });
});

describe('the connection', () => {
  const json = { 'Content-Type': 'application/json' };
  const whole = (received: string) => received.includes('\r\n\r\n') && received.endsWith('}');
  const statusOf = (received: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);

  test.each([
    [
      'both lengths',
      rawRequest('POST /test/echo', { ...json, 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
      400,
    ],
    ['two lengths', rawRequest('POST /test/echo', { 'Content-Length': '5\r\nContent-Length: 6' }, 'hello'), 400],
    ['a length that is no number', rawRequest('POST /test/echo', { 'Content-Length': 'five' }), 400],
    ['an unknown method', rawRequest('FOO /test/echo', {}), 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a control character in a header', rawRequest('GET /test/echo', { 'X-A': 'a\x01' }), 400],
    ['1 MB of token', rawRequest('GET /test/echo', { Authorization: `Bearer ${'a'.repeat(1_000_000)}` }), 431],
    [
      'a broken chunk',
      rawRequest('POST /test/echo', { ...json, Authorization: 'Bearer KEY', 'Transfer-Encoding': 'chunked' }, 'zz\r\n'),
      400,
    ],
  ])('%s ends it, with an answer in our shape', async (_what, bytes, status) => {
    const { received, closed } = await sendRaw(url(), bytes.replace('KEY', key()));

    expect(statusOf(received)).toBe(status);
    expect(received).toMatch(/\r\nX-Request-Id: \S+\r\n/i);
    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({ detail: expect.any(String) });
    expect(closed).toBe(true);
  });

  test('nobody is given a tunnel', async () => {
    const { received } = await sendRaw(url(), rawRequest('CONNECT example.com:443', { 'X-Request-Id': 'my-request' }));
    const unnamed = await sendRaw(url(), rawRequest('CONNECT example.com:443', { 'X-Request-Id': 'a b' }));

    expect(statusOf(received)).toBe(405);
    expect(received).toMatch(/^X-Request-Id: my-request\r$/m);
    expect(unnamed.received).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
  });

  test('who asks for a tunnel and breaks the connection ends nothing else', async () => {
    for (let times = 0; times < 20; times += 1) await sendAndReset(url(), rawRequest('CONNECT example.com:443', {}));

    expect((await get(`/test/things/${jobId}`)).status).toBe(200);
  });

  test('HTTP/1.1 without a host is malformed', async () => {
    const { received } = await sendRaw(url(), 'GET /test/echo HTTP/1.1\r\n\r\n', whole);

    expect(statusOf(received)).toBe(400);
    expect(received).toContain('{"detail":"Malformed request"}');
  });

  test('a transfer encoding that is not ours is not read', async () => {
    const headers = { ...json, 'Transfer-Encoding': 'gzip, chunked' };
    const { received } = await sendRaw(url(), rawRequest('POST /test/echo', headers, '0\r\n\r\n'), whole);

    expect(statusOf(received)).toBe(415);
  });

  const framings: [string, (text: string) => [headers: Record<string, string>, body: string]][] = [
    ['chunked', (text) => [{ 'Transfer-Encoding': 'chunked' }, `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`]],
    ['of a length said', (text) => [{ 'Content-Length': String(text.length) }, text]],
  ];
  const withAndWithoutBody = ['POST /test/echo', 'POST /test/bare', `GET /test/things/${jobId}`];

  describe.each(framings)('a body %s', (_, framed) => {
    const send = async (line: string, text: string, more: Record<string, string> = {}) => {
      const [framing, body] = framed(text);
      const { received } = await sendRaw(url(), rawRequest(line, { ...json, ...framing, ...more }, body), whole);
      return statusOf(received);
    };

    test.each(withAndWithoutBody)(
      'too large for %s is refused before its credential, and whatever that is',
      async (line) => {
        const tooLarge = 'x'.repeat(bodyLimits.standard + 1);

        expect(await send(line, tooLarge)).toBe(413);
        expect(await send(line, tooLarge, { Authorization: `Bearer ${key()}` })).toBe(413);
        expect(await send(line, '{"team_id":"a"}')).toBe(401);
        expect(await send(line, '{"team_id":"a"}', { Authorization: `Bearer ${key()}` })).toBe(200);
      },
    );

    test('that is no JSON is none for a POST that needs none either, and nothing to a GET', async () => {
      const authorized = { Authorization: `Bearer ${key()}` };

      expect(await send('POST /test/bare', '{', authorized)).toBe(422);
      expect(await send(`GET /test/things/${jobId}`, '{', authorized)).toBe(200);
    });
  });

  test('who asks before sending is answered before sending', async () => {
    const asking = (length: number) => ({
      ...json,
      Authorization: `Bearer ${key()}`,
      'Content-Length': String(length),
      Expect: '100-continue',
    });
    const tooMuch = await sendRaw(url(), rawRequest('POST /test/echo', asking(bodyLimits.standard + 1)));
    const unknown = { ...asking(15), Authorization: 'Bearer nobody' };
    const nobody = await sendRaw(url(), rawRequest('POST /test/echo', unknown), whole);
    const fine = await sendRaw(url(), rawRequest('POST /test/echo', asking(15)), (text) =>
      text.includes('100 Continue'),
    );

    expect(statusOf(tooMuch.received)).toBe(413);
    expect(statusOf(nobody.received)).toBe(401);
    expect(fine.received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });

  test('it lives on after an error, also one with an unread body', async () => {
    const body = `{"team_id":"${'a'.repeat(bodyLimits.standard)}"}`;
    const headers = { ...json, Authorization: `Bearer ${key()}` };
    const bytes = [
      rawRequest('POST /test/echo', { ...headers, 'Content-Length': String(body.length) }, body),
      rawRequest('GET /nowhere', headers),
      rawRequest('POST /test/echo', { ...headers, 'Content-Length': '15' }, '{"team_id":"a"}'),
    ].join('');

    const { received } = await sendRaw(url(), bytes, (text) => text.includes('{"team_id":"a"}'));

    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('two Idempotency-Keys are none', async () => {
    const headers = {
      ...json,
      Authorization: `Bearer ${key()}`,
      'Content-Length': '15',
      'Idempotency-Key': 'a\r\nIdempotency-Key: b',
    };
    const { received } = await sendRaw(url(), rawRequest('POST /test/echo', headers, '{"team_id":"a"}'), whole);

    expect(statusOf(received)).toBe(422);
    expect(received).toContain('"loc":["header","idempotency-key"]');
  });

  test("the caller's request id comes back when it is one", async () => {
    const idOf = async (id: string) =>
      (await ask(url(), 'get', '/nowhere', { headers: { 'x-request-id': id } })).headers.get('x-request-id');

    expect(await idOf('my-request')).toBe('my-request');
    expect(await idOf('a b')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('credentials', () => {
  const withHeader = (headers: Record<string, string>) => ask(url(), 'get', `/test/things/${jobId}`, { headers });

  test.each([
    ['none', {}],
    ['another scheme', { authorization: 'Basic YWJj' }],
    ['no token', { authorization: 'Bearer' }],
    ['two tokens', { authorization: 'Bearer  x y' }],
    ['garbage', { authorization: 'Bearer garbage' }],
    ['a key with a wrong checksum', { authorization: `Bearer sk-${'a'.repeat(48)}` }],
    ['a long token', { authorization: `Bearer ${'a'.repeat(10_000)}` }],
    ['an admin key that is none', { 'x-admin-key': 'garbage' }],
  ] as [string, Record<string, string>][])('%s is a 401 with a challenge', async (_what, headers) => {
    const answer = await withHeader(headers);

    expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('the platform key is taken by either header, the scheme in either case', async () => {
    expect((await withHeader({ authorization: `bearer ${key()}` })).status).toBe(200);
    expect((await withHeader({ 'x-admin-key': key() })).status).toBe(200);
  });

  test('an admin key decides when both are there', async () => {
    expect((await withHeader({ authorization: `Bearer ${key()}`, 'x-admin-key': 'wrong' })).status).toBe(401);
  });
});
