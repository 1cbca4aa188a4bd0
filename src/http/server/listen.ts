import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { answerBrokenRequests } from './broken-requests.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';

export interface Listening {
  url: string;
  /** Accepts no new connections and waits for the requests in flight. `interrupt` is called for slow ones; finally they are cut off. */
  drain(interrupt: () => void): Promise<void>;
}

/** Under the 30 s that `npm start` gives its processes, with time left to close what the requests used. */
const interruptMs = 12_000;
const drainMs = 20_000;
const closeIdleMs = 50;
const headersTimeoutMs = 15_000;
/** For a body of 32 MiB at 2.3 Mbit/s. */
const requestTimeoutMs = 120_000;
/** Node.js refuses larger headers with 431. */
const maxHeaderSize = 16_384;

export interface ListenOptions {
  host: string;
  /** 0: one that is free. */
  port: number;
  connections?: ConnectionLimits;
}

export async function listen(app: Express, { host, port, connections }: ListenOptions): Promise<Listening> {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 65_000,
    // Node.js would refuse a request without `Host` with an empty answer; the app refuses it with an error body.
    requireHostHeader: false,
  });
  // A client that has closed its sending side after its request still gets its answer: `spec 5.8`.
  Object.assign(server, { httpAllowHalfOpen: true });
  const unanswered = new Set<ServerResponse>();
  let isDraining = false;
  const answer: RequestListener = (request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
    app(request, response);
  };
  server.on('request', answer);
  // The app sends `100 Continue` when it reads the body, after checking its size. It ignores any other expectation.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  answerBrokenRequests(server);
  if (connections) limitConnections(server, connections);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async drain(interrupt) {
      const closed = once(server, 'close');
      // From now on each answer has `Connection: close`: the next request of a client on this connection would be reset.
      isDraining = true;
      for (const response of unanswered) response.shouldKeepAlive = false;
      server.close();
      // Repeatedly: a connection becomes idle when its request is answered, and the client could send the next request on it.
      const closingIdle = setInterval(() => server.closeIdleConnections(), closeIdleMs);
      const interrupting = setTimeout(interrupt, interruptMs);
      const cut = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(closingIdle);
      clearTimeout(interrupting);
      clearTimeout(cut);
    },
  };
}
