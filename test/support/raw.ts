import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes unchanged on a new connection. Returns what is received until `enough` is true or the connection ends. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  enough: (received: string) => boolean = () => false,
): Promise<{ received: string; closed: boolean }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  const isEnough = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk;
      if (enough(received)) resolve();
    });
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(bytes);
  const ended = await Promise.race([closed.then(() => true), isEnough.then(() => false)]);
  socket.destroy();
  return { received, closed: ended };
}

/** Reads nothing before all bytes are sent. Returns what is received until the connection ends. */
export async function sendThenRead(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.pause().write(bytes, () => socket.resume());
  await closed;
  return received;
}

/** Sends as a client that closes its sending side after its request. Returns what comes back, up to the end of the connection. */
export async function sendAndHalfClose(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'end');
  socket.end(bytes);
  await closed;
  socket.destroy();
  return received;
}

/** Sends bytes unchanged and resets the connection: at once, or after `meanwhile`. */
export async function sendAndReset(url: string, bytes: string, meanwhile?: () => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  await meanwhile?.();
  const closed = once(socket, 'close');
  socket.resetAndDestroy();
  await closed;
}

/** `rawRequest('POST /x', { Host: 'a' }, '{}')` */
export const rawRequest = (line: string, headers: Record<string, string>, body = ''): string =>
  [
    `${line} HTTP/1.1`,
    ...Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
