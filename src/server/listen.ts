import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { maxHeadBytes, refuseBrokenRequests } from './broken-requests.ts';
import { createServerDrain, type DrainTimes } from './drain-server.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';
import { createUnansweredRequests } from './unanswered-requests.ts';

export interface Listening {
  url: string;
  /** Accepts no new connections after the lame duck and waits for the requests in flight: `createServerDrain`. */
  drain(interrupt: () => void, times: DrainTimes): Promise<void>;
}

const headersTimeoutMs = 15_000;
/** A body of 32 MiB at 2.3 Mbit/s takes so long. */
const requestTimeoutMs = 120_000;
/** How often the two are checked. A request that is never completed delays the end of a drain. */
const checkTimeoutsMs = 2_000;

export interface ListenOptions {
  host: string;
  /** 0: one that is free. */
  port: number;
  connections?: ConnectionLimits;
  /** Node.js adds a second, for a request that is under way when the time ends. */
  keepAliveTimeoutMs?: number;
}

const defaultKeepAliveMs = 65_000;

export async function listen(
  app: Express,
  { host, port, connections, keepAliveTimeoutMs = defaultKeepAliveMs }: ListenOptions,
): Promise<Listening> {
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkTimeoutsMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Node.js would refuse a request without `Host` with an empty answer; the app refuses it with an error body.
    requireHostHeader: false,
  });
  // A client that has closed its sending side after its request still gets its answer: `spec 5.8`.
  Object.assign(server, { httpAllowHalfOpen: true });
  const { track, drain } = createServerDrain(server);
  const unanswered = createUnansweredRequests();
  const handle: RequestListener = (request, response) => {
    if (!unanswered.accept(request, response)) return;
    track(response);
    app(request, response);
  };
  server.on('request', handle);
  // The app sends `100 Continue` when it reads the body, after checking its size. It ignores any other expectation.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  refuseBrokenRequests(server);
  if (connections) limitConnections(server, connections, unanswered.isIdle);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, drain };
}
