import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { disconnectSignal } from '../../src/http/client-disconnect.ts';
import { writeReply } from '../../src/http/reply.ts';
import { EventStream } from '../../src/http/stream/event-stream.ts';
import { rawRequest } from '../support/raw.ts';
import { until } from '../support/until.ts';

const drainTimeoutMs = 1_000;
const body = JSON.stringify('x'.repeat(30_000_000));
const app = express().get('/', (_request, response) => {
  void writeReply(response, { status: 200, headers: {}, body }, new AbortController().signal, drainTimeoutMs);
});
/** Events without end, while somebody takes them. */
async function* events(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(1_000_000);
}
let finished = false;
app.get('/stream', async (_request, response) => {
  const naming = { callId: 'a', model: 'b', created: 0 };
  const reply = { status: 200, headers: {}, body: new EventStream(events(), { naming }) };
  await writeReply(response, reply, disconnectSignal(response), drainTimeoutMs);
  finished = true;
});
const server = createServer(app);

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

/** Asks for the answer and reads nothing yet. */
async function ask(path = '/'): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(rawRequest(`GET ${path}`, {}));
  return socket;
}

const openConnections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

test('a large answer that is not read is discarded after a timeout', async () => {
  const socket = await ask();
  await once(server, 'request');
  const [closed] = await Promise.all([once(socket, 'close'), pause(4 * drainTimeoutMs).then(() => socket.resume())]);

  expect(closed).toBeDefined();
  expect(socket.bytesRead).toBeLessThan(body.length);
  expect(await openConnections()).toBe(0);
});

test('a stream that is not read is cut off after a timeout, and its work ends (spec 5.13)', async () => {
  const socket = await ask('/stream');
  await once(server, 'request');
  await until(() => finished);

  expect(await openConnections()).toBe(0);
  socket.destroy();
});

test('a large answer that is read slowly is sent to its end, and the connection can be used again', async () => {
  const socket = await ask();
  let received = 0;
  const slowUntil = performance.now() + 4 * drainTimeoutMs;
  socket.on('data', (bytes) => {
    received += bytes.length;
    if (performance.now() > slowUntil) return;
    socket.pause();
    setTimeout(() => socket.resume(), 15);
  });
  const isWhole = () => new Promise<void>((resolve) => socket.on('data', () => received > body.length && resolve()));
  socket.resume();
  await isWhole();
  await pause(2 * drainTimeoutMs);

  expect(await openConnections()).toBe(1);
  received = 0;
  socket.write(rawRequest('GET /', {}));
  await isWhole();
  socket.destroy();
});
