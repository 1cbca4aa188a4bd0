import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it was received, with the body unchanged. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export type Behaviour = (response: ServerResponse, request: Received) => void;

export interface Receiver {
  url: string;
  port: number;
  requests: Received[];
  /** Connections, with or without a request. */
  connections: number;
  mostAtOnce: number;
  close(): Promise<void>;
}

export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end();

export const hanging: Behaviour = () => undefined;

export const resetting: Behaviour = (response) => (response.socket as Socket).resetAndDestroy();

const open = new Set<Receiver>();

/** For `afterEach`: closes receivers also after a test that failed. */
export async function closeReceivers(): Promise<void> {
  await Promise.all([...open].map((receiver) => receiver.close()));
}

/** An HTTP server that behaves as a test requires, and records the requests. */
export async function startReceiver(behave: Behaviour = answering(200), host = '127.0.0.1'): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
    } catch {
      return;
    }
    const received = { path: request.url ?? '', headers: request.headers, body, at: Date.now() };
    receiver.requests.push(received);
    behave(response, received);
  });
  server.on('connection', (socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, sockets.size);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests: [],
    connections: 0,
    mostAtOnce: 0,
    async close() {
      if (!open.delete(receiver)) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  open.add(receiver);
  return receiver;
}
