import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { answerBrokenRequests } from './broken-requests.ts';

export interface Listening {
  url: string;
  /** Takes nothing new and waits for what is under way. What takes long is asked to `hurry`, and at last cut off. */
  drain(hurry: () => void): Promise<void>;
}

/** Under the 30 s that `npm start` gives its processes, with time left to close what the answers used. */
const hurryMs = 12_000;
const drainMs = 20_000;
const idleLookMs = 50;
const headersTimeoutMs = 15_000;
/** A body of 10 MiB over a slow line; the answer may take as long as it likes. */
const requestTimeoutMs = 120_000;
/** 1 MB of header is refused by Node itself, with 431. */
const maxHeaderSize = 16_384;

export async function listen(app: Express, host: string, port: number): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: 65_000,
      // Node would refuse it without a body; the app does it with one.
      requireHostHeader: false,
    },
    app,
  );
  // The body is asked for where it is read, after its size was looked at; any other expectation is none of ours.
  server.on('checkContinue', app);
  server.on('checkExpectation', app);
  answerBrokenRequests(server);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async drain(hurry) {
      const closed = once(server, 'close');
      server.close();
      // Again and again: a connection that has had its answer would carry the client's next request.
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
