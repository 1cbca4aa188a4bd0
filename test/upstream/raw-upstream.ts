import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawUpstream {
  url: string;
  /** Answers the next requests. */
  answer: (response: ServerResponse, wantsStream: boolean) => void;
  /** Connections made so far. */
  connections: number;
}

/** An upstream that sends exactly the bytes that a test gives it. */
export function rawUpstreamForTests(): RawUpstream {
  const raw: RawUpstream = { url: '', answer: (response) => response.end(), connections: 0 };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.once('end', () => raw.answer(response, Buffer.concat(pieces).includes('"stream":true')));
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
