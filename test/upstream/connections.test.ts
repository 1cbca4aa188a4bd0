import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { requestOnce } from './request-once.ts';

const body = JSON.stringify({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] });

const response = (...headers: string[]): string =>
  ['HTTP/1.1 200 OK', `content-length: ${body.length}`, ...headers, '', body].join('\r\n');

interface Connection {
  socket: Socket;
  /** Received on it so far. */
  requests: number;
}

let server: Server;
let connections: Connection[] = [];
let requests = 0;
let answer: (connection: Connection) => void;

beforeAll(async () => {
  server = createServer((socket) => {
    const connection = { socket, requests: 0 };
    connections.push(connection);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (!bytes.includes('POST ')) return;
      connection.requests += 1;
      requests += 1;
      answer(connection);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  connections = [];
  requests = 0;
});
afterAll(() => {
  server.close();
});

/** Requests of one client, each after a pause. */
async function requestAfter(...pausesMs: number[]) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createUpstreamClient({ baseUrl: url, timeoutMs: 15_000 });
  const shared = { ...client, close: async () => undefined };
  const outcomes = [];
  for (const ms of pausesMs) {
    await pause(ms);
    const startedAt = performance.now();
    const { answer: received, error } = await requestOnce(url, 'a-model', { upstream: shared, timeoutMs: 15_000 });
    outcomes.push({ content: received.message.content, error: error?.message, ms: performance.now() - startedAt });
  }
  await client.close();
  return outcomes;
}

test.each([
  ['a header of 20,000 bytes', [`x-policy: ${'a'.repeat(20_000)}`]],
  ['a header of 200,000 bytes', [`x-policy: ${'a'.repeat(200_000)}`]],
  ['300 headers', Array.from({ length: 300 }, (_, number) => `x-policy-${number}: ${'a'.repeat(60)}`)],
  ['3,000 headers', Array.from({ length: 3_000 }, (_, number) => `x-policy-${number}: a`)],
])('a response with %s is read', async (_, headers) => {
  answer = ({ socket }) => socket.write(response(...headers));

  expect(await requestAfter(0)).toMatchObject([{ content: 'hi', error: undefined }]);
});

test.each([
  ['with two megabytes of headers', response(`x-policy: ${'a'.repeat(2_000_000)}`)],
  ['that is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
])('a response %s is unreadable, and not that of an upstream that could not be reached', async (_, text) => {
  answer = ({ socket }) => socket.write(text);

  expect(await requestAfter(0)).toMatchObject([{ error: 'the upstream sent an unreadable answer' }]);
  expect(requests).toBe(1);
});

test('a connection that was dropped without a sign is not used again, whatever keep-alive time the server offered', async () => {
  answer = ({ socket, requests: count }) => {
    // From the second request on, a connection takes bytes and answers nothing.
    if (count === 1) socket.write(response('keep-alive: timeout=600', 'connection: keep-alive'));
  };

  const outcomes = await requestAfter(0, 6_000);

  expect(outcomes).toMatchObject([{ content: 'hi' }, { content: 'hi' }]);
  expect(outcomes[1]!.ms).toBeLessThan(2_000);
  expect(requests).toBe(2);
}, 30_000);

test('a request that an unused connection rejects at its first bytes is sent on a new connection', async () => {
  answer = ({ socket, requests: count }) => {
    if (count === 1) socket.write(response('connection: keep-alive'));
    else socket.resetAndDestroy();
  };

  const outcomes = await requestAfter(0, 1_500);

  expect(outcomes).toMatchObject([{ content: 'hi' }, { content: 'hi' }]);
  expect(connections.map((one) => one.requests)).toEqual([2, 1]);
}, 30_000);

test.each([
  ['a new connection', [0], 0],
  ['a connection that was just in use', [0, 0], 1],
])('a request that is reset on %s is not sent again', async (_, pauses, answered) => {
  answer = ({ socket, requests: count }) => {
    if (count <= answered) socket.write(response('connection: keep-alive'));
    else socket.resetAndDestroy();
  };

  const outcomes = await requestAfter(...pauses);

  expect(outcomes.at(-1)).toMatchObject({ error: 'the upstream could not be reached' });
  expect(requests).toBe(pauses.length);
});

test('a response that breaks off after its first bytes is not requested again', async () => {
  answer = ({ socket, requests: count }) => {
    if (count === 1) return socket.write(response('connection: keep-alive'));
    return socket.write(response().slice(0, -5), () => setTimeout(() => socket.resetAndDestroy(), 50));
  };

  const outcomes = await requestAfter(0, 1_500);

  expect(outcomes[1]).toMatchObject({ error: 'the upstream broke off its answer' });
  expect(requests).toBe(2);
}, 30_000);
