import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawUpstream {
  url: string;
  /** How the next requests are answered. */
  answer: (response: ServerResponse) => void;
  /** Connections made so far. */
  connections: number;
}

/** An upstream that says exactly what a test wants, to the byte. */
export function rawUpstreamForTests(): RawUpstream {
  const raw: RawUpstream = { url: '', answer: (response) => response.end(), connections: 0 };
  const server = createServer((request, response) => {
    request.resume().once('end', () => raw.answer(response));
  }).on('connection', () => {
    raw.connections += 1;
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    raw.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return raw;
}
