import type { Socket } from 'node:net';
import { createGuardedConnector } from '../../src/webhook-delivery/guard-connections.ts';
import { sendWebhook } from '../../src/webhook-delivery/send-webhook.ts';
import { until } from '../support/until.ts';
import { openPolicy } from './policies.ts';
import {
  answering,
  type Behaviour,
  closeReceivers,
  hanging,
  type Receiver,
  resetting,
  startReceiver,
} from './receiver.ts';

let receiver: Receiver;
afterEach(closeReceivers);

const body = '{"event" : "job.created"}';

async function sendTo(behave: Behaviour, withinMs?: number) {
  receiver = await startReceiver(behave);
  const request = { url: `${receiver.url}/hook?a=1&b=%20`, headers: { 'webhook-id': 'one' }, body };
  return sendWebhook(createGuardedConnector(openPolicy), request, withinMs);
}

test('an attempt is one POST of the unchanged body', async () => {
  const answer = await sendTo(answering(200));

  expect(answer).toMatchObject({ statusCode: 200, error: null });
  expect(receiver.requests).toEqual([
    {
      path: '/hook?a=1&b=%20',
      headers: expect.objectContaining({
        'content-type': 'application/json',
        'content-length': String(body.length),
        'webhook-id': 'one',
      }),
      body,
      at: expect.any(Number),
    },
  ]);
});

test.each([200, 201, 202, 204, 299])('the status %d is a success', async (status) => {
  expect(await sendTo(answering(status))).toMatchObject({ statusCode: status, error: null });
});

test.each([300, 301, 302, 303, 307, 308])(
  'the status %d is a failure, and the redirect is not followed (spec 11.3)',
  async (status) => {
    const answer = await sendTo(answering(status, { location: '/elsewhere' }));

    expect(answer).toMatchObject({ statusCode: status, error: `HTTP ${status}: redirects are not followed` });
    expect(receiver.requests).toHaveLength(1);
  },
);

test.each([400, 404, 410, 429, 500, 503])('the status %d is a failure', async (status) => {
  expect(await sendTo(answering(status))).toMatchObject({ statusCode: status, error: `HTTP ${status}` });
});

test('an attempt at a receiver that never answers times out', async () => {
  expect(await sendTo(hanging, 200)).toMatchObject({ statusCode: null, error: 'timed out' });
});

test('an attempt at a receiver that sends its headers byte by byte times out', async () => {
  const dribbling: Behaviour = (response) => {
    const socket = response.socket as Socket;
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('a'), 10);
    socket.on('close', () => clearInterval(timer));
  };

  expect(await sendTo(dribbling, 300)).toMatchObject({ statusCode: null, error: 'timed out' });
});

test('a response whose body arrives byte by byte is complete after its status', async () => {
  const dribbling: Behaviour = (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('a'), 10);
    response.on('close', () => clearInterval(timer));
  };
  const startedAt = performance.now();

  const answer = await sendTo(dribbling);

  expect(answer).toMatchObject({ statusCode: 200, error: null });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a response of 100 MB is read for 64 KiB only (spec 11.3)', async () => {
  const hundredMegabytes = 100 * 1_048_576;
  let socket: Socket | undefined;
  const flooding: Behaviour = (flood) => {
    socket = flood.socket as Socket;
    flood.writeHead(200);
    let written = 0;
    const chunk = Buffer.alloc(65_536, 'x');
    const pour = () => {
      while (written < hundredMegabytes && !flood.destroyed) {
        written += chunk.length;
        if (!flood.write(chunk)) return void flood.once('drain', pour);
      }
      flood.end();
    };
    pour();
  };

  const answer = await sendTo(flooding);

  expect(answer).toMatchObject({ statusCode: 200, error: null });
  await until(() => socket?.destroyed);
  // The buffers of both sockets were sent as well; the rest never was.
  expect(socket!.bytesWritten).toBeGreaterThan(65_536);
  expect(socket!.bytesWritten).toBeLessThan(16 * 1_048_576);
});

/** Writes the same bytes repeatedly, until the socket is closed. */
function endless(socket: Socket, bytes: Buffer): void {
  const pour = () => {
    let hasRoom = true;
    while (hasRoom && !socket.destroyed) hasRoom = socket.write(bytes);
    if (!socket.destroyed) socket.once('drain', pour);
  };
  pour();
}

test.each([
  ['1xx responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', null],
  ['a chunk extension', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a', 200],
  ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'X-Trailer: a\r\n', 200],
])(
  'a response with %s without an end is read for a limited number of bytes',
  async (_, head, repeated, statusCode) => {
    let socket: Socket | undefined;
    const flooding: Behaviour = (flood) => {
      socket = flood.socket as Socket;
      socket.write(head);
      endless(socket, Buffer.from(repeated.repeat(2_000)));
    };

    const answer = await sendTo(flooding);

    expect(answer.statusCode).toBe(statusCode);
    if (statusCode === null) expect(answer.error).toBe('the answer was too large');
    await until(() => socket?.destroyed);
    expect(socket!.bytesWritten).toBeLessThan(16 * 1_048_576);
  },
  30_000,
);

test('a connection that is reset is reported as such', async () => {
  expect(await sendTo(resetting)).toMatchObject({ statusCode: null, error: 'the connection was reset' });
});

test('a connection that is closed without a response is a failure', async () => {
  const closing: Behaviour = (response) => void response.socket?.end();

  const { statusCode, error } = await sendTo(closing);

  expect(statusCode).toBeNull();
  expect(error).toMatch(/closed|reset/);
});

test('a response that is not HTTP is a failure', async () => {
  const babbling: Behaviour = (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');

  expect(await sendTo(babbling)).toMatchObject({ statusCode: null, error: 'the answer was not HTTP' });
});

test('a receiver without TLS at an https URL is a failure', async () => {
  receiver = await startReceiver();
  const url = receiver.url.replace('http:', 'https:');

  const answer = await sendWebhook(createGuardedConnector(openPolicy), { url, headers: {}, body });

  expect(answer).toMatchObject({ statusCode: null, error: 'TLS could not be set up' });
  expect(receiver.requests).toEqual([]);
});

test('headers that are too large are a failure', async () => {
  const verbose: Behaviour = (response) => {
    const socket = response.socket as Socket;
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let line = 0; line < 2_000; line++) socket.write(`X-Header-${line}: ${'v'.repeat(100)}\r\n`);
  };

  expect(await sendTo(verbose)).toMatchObject({ statusCode: null, error: 'the headers of the answer were too large' });
});

test('a refused connection is a failure', async () => {
  const gone = await startReceiver();
  await gone.close();

  const answer = await sendWebhook(createGuardedConnector(openPolicy), { url: gone.url, headers: {}, body });

  expect(answer).toMatchObject({ statusCode: null, error: 'the connection was refused' });
});

test('every attempt has a connection of its own', async () => {
  receiver = await startReceiver();
  const { url } = receiver;
  const connect = createGuardedConnector(openPolicy);

  for (let attempt = 0; attempt < 5; attempt++) await sendWebhook(connect, { url, headers: {}, body });

  expect(receiver.connections).toBe(5);
});

test('a header in Latin-1 arrives unchanged', async () => {
  receiver = await startReceiver();
  const headers = { authorization: 'Bearer schlüssel' };

  await sendWebhook(createGuardedConnector(openPolicy), { url: receiver.url, headers, body });

  expect(receiver.requests[0]!.headers.authorization).toBe('Bearer schlüssel');
});
