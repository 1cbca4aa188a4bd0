import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { type Listening, listen } from '../../src/server/listen.ts';
import { until } from '../support/until.ts';

const noLimit = 60_000;
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

let server: Listening;
/** Ends the answers that are held. */
let release: () => void;
/** Requests to `/slow` and `/stream` that wait for `release`. */
let held: number;

beforeEach(async () => {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  release = resolve;
  held = 0;
  const app = express();
  app.use(express.json());
  app.all('/quick', ({ body }, response) => void response.json(body ?? {}));
  app.get('/slow', async (_request, response) => {
    held += 1;
    await released;
    response.send('later');
  });
  app.get('/stream', async (_request, response) => {
    held += 1;
    response.write('first ');
    await released;
    response.end('last');
  });
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});

interface Received {
  status: number | undefined;
  connection: string | undefined;
  text: string;
}

const receive = (path: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { agent }, async (response: IncomingMessage) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, connection: response.headers.connection, text });
    }).once('error', reject);
  });

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function readToEnd(socket: Socket): Promise<string> {
  let received = '';
  for await (const chunk of socket) received += chunk;
  return received;
}

const isRefused = () =>
  receive('/quick').then(
    () => false,
    ({ code }) => code === 'ECONNREFUSED',
  );

test('during the lame-duck period new and kept connections are answered with Connection: close, and after it new connections are refused (spec 15.1)', async () => {
  expect(await receive('/quick')).toMatchObject({ status: 200, connection: 'keep-alive' });

  const lameDuckMs = 500;
  const drained = server.drain(() => undefined, { lameDuckMs, drainMs: noLimit });
  const [kept, another] = await Promise.all([receive('/quick'), receive('/quick')]);

  expect([kept, another]).toMatchObject([
    { status: 200, connection: 'close' },
    { status: 200, connection: 'close' },
  ]);
  await drained;
  expect(await isRefused()).toBe(true);
});

test('a request that is half sent when the drain begins is answered when its rest arrives (spec 15.1)', async () => {
  const socket = await open();
  const body = '{"a":1}';
  socket.write(
    `POST /quick HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`,
  );

  const drained = server.drain(() => undefined, { lameDuckMs: 0, drainMs: noLimit });
  await until(isRefused);
  socket.write(`\r\n${body}`);

  const answer = await readToEnd(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/);
  expect(answer).toContain(body);
  await drained;
});

test('an answer that has begun before the drain is sent to its end, and a request that follows it on its connection is answered (spec 15.1)', async () => {
  const socket = await open();
  const streaming = readToEnd(socket);
  socket.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => held === 1);

  const drained = server.drain(() => undefined, { lameDuckMs: 0, drainMs: noLimit });
  await until(isRefused);
  release();
  socket.write('GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n');

  expect(await streaming).toMatch(/first [\s\S]*last[\s\S]*HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*{}$/);
  await drained;
});

test('connections without a request do not delay the end of a drain, whether they have sent nothing or had an answer (spec 15.1)', async () => {
  const silent = await open();
  await receive('/quick');
  const startedAt = performance.now();

  await server.drain(() => undefined, { lameDuckMs: 0, drainMs: noLimit });

  expect(performance.now() - startedAt).toBeLessThan(noLimit / 2);
  silent.destroy();
});

test('a request that is in flight when the drain is over is interrupted, and its connection is cut when the request does not end (spec 15.2)', async () => {
  const answer = receive('/slow').catch((error) => error.code);
  await until(() => held === 1);
  let interrupted = 0;

  await server.drain(() => (interrupted += 1), { lameDuckMs: 0, drainMs: 100 });

  expect(interrupted).toBe(1);
  expect(await answer).toBe('ECONNRESET');
});
