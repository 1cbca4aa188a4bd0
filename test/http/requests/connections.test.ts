import { withTimeout } from '../../../src/concurrency/with-timeout.ts';
import { bodyLimits } from '../../../src/http/body/receive-body.ts';
import { rawRequest, sendAndReset, sendRaw } from '../../support/raw.ts';
import { sendRequest } from '../../support/send-request.ts';
import { echoGateway, jobId } from './echo-gateway.ts';

const { url, key, get } = echoGateway();

const json = { 'Content-Type': 'application/json' };
const whole = (received: string) => received.includes('\r\n\r\n') && received.endsWith('}');
const statusOf = (received: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);

test.each([
  [
    'both lengths',
    rawRequest('POST /test/echo', { ...json, 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
    400,
    'request_malformed',
  ],
  [
    'two lengths',
    rawRequest('POST /test/echo', { 'Content-Length': '5\r\nContent-Length: 6' }, 'hello'),
    400,
    'request_malformed',
  ],
  ['a length that is no number', rawRequest('POST /test/echo', { 'Content-Length': 'five' }), 400, 'request_malformed'],
  ['an unknown method', rawRequest('FOO /test/echo', {}), 405, 'method_not_allowed'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'request_malformed'],
  ['a control character in a header', rawRequest('GET /test/echo', { 'X-A': 'a\x01' }), 400, 'request_malformed'],
  [
    '1 MB of token',
    rawRequest('GET /test/echo', { Authorization: `Bearer ${'a'.repeat(1_000_000)}` }),
    431,
    'headers_too_large',
  ],
  [
    'a broken chunk',
    rawRequest('POST /test/echo', { ...json, Authorization: 'Bearer KEY', 'Transfer-Encoding': 'chunked' }, 'zz\r\n'),
    400,
    'request_malformed',
  ],
])(
  'input with %s is answered with an error body, and the connection ends (spec 1.3, spec 1.5)',
  async (_what, bytes, status, code) => {
    const { received, closed } = await sendRaw(url(), bytes.replace('KEY', key()));

    expect(statusOf(received)).toBe(status);
    expect(received).toMatch(/\r\nX-Request-Id: \S+\r\n/i);
    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({ detail: expect.any(String), code });
    expect(closed).toBe(true);
  },
);

test('a CONNECT request is a 405', async () => {
  const { received } = await sendRaw(url(), rawRequest('CONNECT example.com:443', { 'X-Request-Id': 'my-request' }));
  const unnamed = await sendRaw(url(), rawRequest('CONNECT example.com:443', { 'X-Request-Id': 'a b' }));

  expect(statusOf(received)).toBe(405);
  expect(received).toMatch(/^X-Request-Id: my-request\r$/m);
  expect(unnamed.received).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
});

test('a method that Node.js does not support is a 405', async () => {
  const { received } = await sendRaw(url(), rawRequest('FOO /test/echo', { 'X-Request-Id': 'my-request' }));

  expect(statusOf(received)).toBe(405);
  expect(received).toMatch(/^X-Request-Id: my-request\r$/m);
  expect(received).toMatch(/^Allow: GET, /m);
});

test.each([
  ['spelled otherwise and with blanks', 'x-request-ID: \t my-request \t', 'my-request'],
  ['behind other headers', 'X-A: X-Request-Id: other\r\nX-Request-Id: my-request', 'my-request'],
  ['that comes twice', 'X-Request-Id: one\r\nX-Request-Id: two', undefined],
  ['with a blank inside', 'X-Request-Id: a b', undefined],
  ['of a body', 'X-A: a\r\n\r\nX-Request-Id: my-request', undefined],
  ['of another header', 'My-X-Request-Id: my-request', undefined],
])('with an unknown method, an X-Request-Id %s is returned only if it is valid', async (_what, header, expected) => {
  const { received } = await sendRaw(url(), `FOO / HTTP/1.1\r\n${header}\r\n\r\n`);

  const answered = /^X-Request-Id: (.*)\r$/m.exec(received)?.[1];
  expect(statusOf(received)).toBe(405);
  expect(answered).toEqual(expected ?? expect.stringMatching(/^[0-9a-f-]{36}$/));
});

test.each([
  ['blanks in a header', `FOO / HTTP/1.1\r\nX-Request-Id:${' '.repeat(16_000)}x`],
  ['blanks in a header that ends', `FOO / HTTP/1.1\r\nX-Request-Id:${' '.repeat(60_000)}x\r\n\r\n`],
  ['tabs and blanks', `FOO / HTTP/1.1\r\nX-Request-Id:${' \t'.repeat(30_000)}x`],
  ['headers of the name', `FOO / HTTP/1.1\r\n${'X-Request-Id:\r\n'.repeat(4_000)}`],
  ['line ends', `FOO / HTTP/1.1${'\r\n'.repeat(30_000)}`],
  ['letters of a method', 'F'.repeat(60_000)],
  ['blanks in a request line', `FOO${' '.repeat(60_000)}`],
  ['letters of a path', `FOO ${'/'.repeat(60_000)}`],
])('an unknown method with thousands of %s is answered at once, as is the next request', async (_what, bytes) => {
  const { received } = await withTimeout(sendRaw(url(), bytes), 5_000);

  expect([400, 405]).toContain(statusOf(received));
  expect((await withTimeout(get(`/test/things/${jobId}`), 5_000)).status).toBe(200);
});

test('a client that sends CONNECT and resets the connection affects no other request', async () => {
  for (let times = 0; times < 20; times += 1) await sendAndReset(url(), rawRequest('CONNECT example.com:443', {}));

  expect((await get(`/test/things/${jobId}`)).status).toBe(200);
});

describe('behind a request that is not answered yet', () => {
  const text = '{"team_id":"a"}';
  const headers = { ...json, 'Content-Length': String(text.length) };
  const echo = () => rawRequest('POST /test/echo', { ...headers, Authorization: `Bearer ${key()}` }, text);
  const statuses = (received: string) => received.match(/HTTP\/1\.1 \d+/g);

  test.each([
    ['bytes that its length does not count', '"}'],
    ['an unknown method', rawRequest('FOO /test/echo', {})],
    ['one for a tunnel', rawRequest('CONNECT example.com:443', {})],
    ['headers that are too large', rawRequest('GET /test/echo', { 'X-A': 'a'.repeat(20_000) })],
    [
      'a body with a broken chunk',
      rawRequest('POST /test/echo', { ...json, 'Transfer-Encoding': 'chunked' }, 'zz\r\n'),
    ],
  ])('%s is not answered, and the connection ends', async (_what, broken) => {
    const { received, closed } = await sendRaw(url(), echo() + echo() + broken);

    expect(statuses(received)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(received.match(/^Connection: .*$/gm)).toEqual(['Connection: keep-alive', 'Connection: close']);
    expect(received.endsWith(text)).toBe(true);
    expect(closed).toBe(true);
  });

  test('with Connection: close another request is not answered', async () => {
    const last = rawRequest(
      'POST /test/echo',
      { ...headers, Authorization: `Bearer ${key()}`, Connection: 'close' },
      text,
    );

    expect(statuses((await sendRaw(url(), last + echo())).received)).toEqual(['HTTP/1.1 200']);
  });
});

test.each([
  ['no host', 'GET /test/echo HTTP/1.1\r\n\r\n'],
  ['two hosts', rawRequest('GET /test/echo', { Host: 'a\r\nHost: a' })],
  ['a host that is none', rawRequest('GET /test/echo', { Host: 'a/b' })],
])('HTTP/1.1 with %s is malformed', async (_what, bytes) => {
  const { received } = await sendRaw(url(), bytes, whole);

  expect(statusOf(received)).toBe(400);
  expect(received).toContain('{"detail":"Malformed request","code":"request_malformed"}');
});

test.each(['gateway', 'gateway:8000', '127.0.0.1', '[::1]:8000', 'a_b-c.example', ''])(
  'a request with the host %p is served',
  async (host) => {
    const { received } = await sendRaw(url(), rawRequest('GET /nowhere', { Host: host }), whole);

    expect(statusOf(received)).toBe(404);
  },
);

test('a connection can be used again after an error, also with an unread body', async () => {
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

test('two Idempotency-Key headers are a 422 (spec 10.2)', async () => {
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

test("the caller's request id is returned if it is valid (spec 1.4)", async () => {
  const idOf = async (id: string) =>
    (await sendRequest(url(), 'get', '/nowhere', { headers: { 'x-request-id': id } })).headers.get('x-request-id');

  expect(await idOf('my-request')).toBe('my-request');
  expect(await idOf('a b')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idOf('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
});
