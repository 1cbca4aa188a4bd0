import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { answerBrokenRequests } from './broken-requests.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';

export interface Listening {
  url: string;
  /** Accepts no new connections and waits for the requests under way. Slow ones are told to `hurry`, and cut off in the end. */
  drain(hurry: () => void): Promise<void>;
}

/** Under the 30 s that `npm start` gives its processes, with time left to close what the requests used. */
const hurryMs = 12_000;
const drainMs = 20_000;
const idleLookMs = 50;
const headersTimeoutMs = 15_000;
/** A body of 10 MiB over a slow line. */
const requestTimeoutMs = 120_000;
/** Node itself refuses larger headers, with 431. */
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
    // Node would refuse such a request without a body; the app does it with one.
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
  // The app asks for the body where it reads it, after checking its size; it ignores any other expectation.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  answerBrokenRequests(server);
  if (connections) limitConnections(server, connections);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async drain(hurry) {
      const closed = once(server, 'close');
      // Each answer from now on says `Connection: close`: a client that sent its next request here would find it reset.
      isDraining = true;
      for (const response of unanswered) response.shouldKeepAlive = false;
      server.close();
      // Repeatedly: a connection that has had its answer would carry the client's next request.
      const sendingHome = setInterval(() => server.closeIdleConnections(), idleLookMs);
      const hurrying = setTimeout(hurry, hurryMs);
      const cut = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sendingHome);
      clearTimeout(hurrying);
      clearTimeout(cut);
    },
  };
}
