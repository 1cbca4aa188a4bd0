import type { Socket } from 'node:net';
import { openSocket, unfinishedRequest } from './sockets.ts';

export interface HeldRequest {
  line: string;
  /** Sends the last byte of the body; resolves with the status of the answer, 0 if there is none within ten seconds. */
  finish(): Promise<number>;
}

interface Sent {
  /** `POST /api/jobs/create` */
  line: string;
  body: unknown;
  headers: Record<string, string>;
}

/** Sends a request without the last byte of its body. */
export async function holdRequest(url: string, { line, body, headers }: Sent): Promise<HeldRequest> {
  const text = JSON.stringify(body);
  const socket = await openSocket({ url });
  socket.write(
    unfinishedRequest(line, { Connection: 'close', ...headers }, text.slice(0, -1), Buffer.byteLength(text)),
  );
  return {
    line,
    async finish() {
      const status = statusOn(socket);
      socket.write(text.slice(-1));
      return status;
    },
  };
}

/** The status of the next answer on the connection, which is closed then. 0: none. */
export function statusOn(socket: Socket, withinMs = 10_000): Promise<number> {
  return new Promise((resolve) => {
    let received = '';
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0));
    };
    const timer = setTimeout(end, withinMs);
    socket.once('close', end).on('data', (chunk) => {
      received += chunk;
      if (received.includes('\r\n\r\n')) end();
    });
  });
}
