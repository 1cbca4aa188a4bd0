import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { withTimeout } from '../../../src/concurrency/with-timeout.ts';
import { bodyLimits } from '../../../src/http/body/receive-body.ts';
import { rawRequest, sendRaw, sendThenRead } from '../../support/raw.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { echoGateway, jobId } from './echo-gateway.ts';

const { url, key, post } = echoGateway();

const json = { 'Content-Type': 'application/json' };
const whole = (received: string) => received.includes('\r\n\r\n') && received.endsWith('}');
const statusOf = (received: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);

/** A body of which the last byte is missing: it never ends. */
function beginBody(path: string, body: Buffer, headers: Record<string, string> = {}): Socket {
  const { hostname, port } = new URL(url());
  const length = { 'Content-Length': String(body.length + 1) };
  const head = rawRequest(`POST ${path}`, { ...json, ...length, Authorization: `Bearer ${key()}`, ...headers });
  const socket = connect(Number(port), hostname);
  socket.write(head);
  socket.write(body);
  return socket;
}

test('a compressed body that never ends is not unpacked', async () => {
  const packed = gzipSync(`{"team_id":"${' '.repeat(10_000_000)}"}`);
  const before = process.memoryUsage().arrayBuffers;
  const unfinished = Array.from({ length: 20 }, () => beginBody('/test/large', packed, { 'Content-Encoding': 'gzip' }));
  await Promise.all(unfinished.map((socket) => until(() => socket.bytesWritten > packed.length)));

  // As long as it would take.
  await pause(1_000);

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  for (const socket of unfinished) socket.destroy();
});

/** Bytes of JavaScript's own memory that are in use. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('a body that arrives byte by byte needs no more memory than its bytes', async () => {
  const { hostname, port } = new URL(url());
  const chunked = { ...json, 'Transfer-Encoding': 'chunked', Authorization: `Bearer ${key()}` };
  const before = heapInUse();
  const socket = connect(Number(port), hostname);
  socket.write(rawRequest('POST /test/echo', chunked, '1\r\n \r\n'.repeat(1_000_000)));
  await until(() => socket.writableLength === 0);
  // As long as it takes to read what the connection still holds.
  await pause(2_000);

  expect(heapInUse() - before).toBeLessThan(30_000_000);
  socket.destroy();
});

test('large bodies that never end delay those of their sender only', async () => {
  const large = Buffer.alloc(10_400_000, ' ');
  const unfinished = Array.from({ length: 7 }, () => beginBody('/test/large', large));
  await until(() => unfinished.filter(({ writableLength }) => writableLength === 0).length >= 6);
  const one = post(`{"team_id":"a"${' '.repeat(100_000)}}`);

  expect(await withTimeout(one, 500).catch(() => 'waits')).toBe('waits');
  expect((await post('{"team_id":"a"}')).status).toBe(200);
  const another = { team_id: 'a', metadata: { text: 'x'.repeat(100_000) } };
  expect((await sendRequest(url(), 'post', '/test/open', { body: another })).status).toBe(200);

  for (const socket of unfinished) socket.destroy();
  expect((await one).status).toBe(200);
});

test('a body with an unsupported transfer encoding is a 415 (spec 1.11)', async () => {
  const headers = { ...json, 'Transfer-Encoding': 'gzip, chunked' };
  const { received } = await sendRaw(url(), rawRequest('POST /test/echo', headers, '0\r\n\r\n'), whole);

  expect(statusOf(received)).toBe(415);
});

const framings: [string, (text: string) => [headers: Record<string, string>, body: string]][] = [
  ['chunked', (text) => [{ 'Transfer-Encoding': 'chunked' }, `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`]],
  ['with a Content-Length', (text) => [{ 'Content-Length': String(text.length) }, text]],
];
const withAndWithoutBody = ['POST /test/echo', 'POST /test/bare', `GET /test/things/${jobId}`];

describe.each(framings)('a body %s', (_, framed) => {
  const send = async (line: string, text: string, more: Record<string, string> = {}) => {
    const [framing, body] = framed(text);
    const { received } = await sendRaw(url(), rawRequest(line, { ...json, ...framing, ...more }, body), whole);
    return statusOf(received);
  };

  test.each(withAndWithoutBody)('too large for %s is refused before and after authentication', async (line) => {
    const tooLarge = 'x'.repeat(bodyLimits.standard + 1);

    expect(await send(line, tooLarge)).toBe(413);
    expect(await send(line, tooLarge, { Authorization: `Bearer ${key()}` })).toBe(413);
    expect(await send(line, '{"team_id":"a"}')).toBe(401);
    expect(await send(line, '{"team_id":"a"}', { Authorization: `Bearer ${key()}` })).toBe(200);
  });

  test('that is not JSON is a 422 for a POST without a body schema, and ignored by a GET', async () => {
    const authorized = { Authorization: `Bearer ${key()}` };

    expect(await send('POST /test/bare', '{', authorized)).toBe(422);
    expect(await send(`GET /test/things/${jobId}`, '{', authorized)).toBe(200);
  });
});

test('a client that sends Expect: 100-continue is answered before its body', async () => {
  const withExpect = (length: number) => ({
    ...json,
    Authorization: `Bearer ${key()}`,
    'Content-Length': String(length),
    Expect: '100-continue',
  });
  const tooMuch = await sendRaw(url(), rawRequest('POST /test/echo', withExpect(bodyLimits.standard + 1)));
  const unknown = { ...withExpect(15), Authorization: 'Bearer nobody' };
  const nobody = await sendRaw(url(), rawRequest('POST /test/echo', unknown), whole);
  const fine = await sendRaw(url(), rawRequest('POST /test/echo', withExpect(15)), (text) =>
    text.includes('100 Continue'),
  );

  expect(statusOf(tooMuch.received)).toBe(413);
  expect(statusOf(nobody.received)).toBe(401);
  expect(fine.received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
});

test('a client with another expectation gets no 100 Continue', async () => {
  const headers = { ...json, Authorization: `Bearer ${key()}`, 'Content-Length': '15', Expect: 'something' };
  const { received } = await sendRaw(url(), rawRequest('POST /test/echo', headers, '{"team_id":"a"}'), whole);

  expect(statusOf(received)).toBe(200);
});

test('an early refusal of a request with Upgrade has Connection: close', async () => {
  const upgrade = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAEAAEAAAAIAAAAB' };
  const headers = { ...json, ...upgrade, Authorization: 'Bearer nobody', 'Content-Length': String(bodyLimits.call) };

  const received = await sendThenRead(url(), rawRequest('POST /test/large', headers, 'x'.repeat(bodyLimits.call)));

  expect(statusOf(received)).toBe(401);
  expect(received).toContain('\r\nConnection: close\r\n');
});

test('a client with HTTP/1.0 gets no 100 Continue', async () => {
  const headers = { ...json, Authorization: `Bearer ${key()}`, 'Content-Length': '15', Expect: '100-continue' };
  const request = rawRequest('POST /test/echo', headers, '{"team_id":"a"}').replace('HTTP/1.1', 'HTTP/1.0');

  expect(statusOf((await sendRaw(url(), request, whole)).received)).toBe(200);
});

test.each([
  ['its credential is wrong', { Authorization: 'Bearer nobody' }, bodyLimits.call, 401],
  ['it is too large', {}, 2 * bodyLimits.call, 413],
  ['the path is unknown', {}, bodyLimits.call, 404],
])(
  'a client that continues to send when %s receives its answer, also if the connection then ends',
  async (_, more, size, status) => {
    const headers = { ...json, Authorization: `Bearer ${key()}`, ...more, 'Content-Length': String(size) };
    const path = status === 404 ? '/nowhere' : '/test/large';
    const request = rawRequest(`POST ${path}`, { ...headers, Connection: 'close' }, 'x'.repeat(size));

    expect(statusOf(await sendThenRead(url(), request))).toBe(status);
  },
);

test('a client that continues to send chunks beyond the limit receives its answer, and the connection can be used again', async () => {
  const chunk = `${bodyLimits.call.toString(16)}\r\n${'x'.repeat(bodyLimits.call)}\r\n0\r\n\r\n`;
  const headers = { ...json, Authorization: `Bearer ${key()}` };
  const tooMuch = rawRequest('POST /test/echo', { ...headers, 'Transfer-Encoding': 'chunked' }, chunk);
  const last = rawRequest('GET /nowhere', { ...headers, Connection: 'close' });

  const received = await sendThenRead(url(), tooMuch + last);

  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404']);
});
