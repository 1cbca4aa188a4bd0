import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port below the range from which systems assign ports to outgoing connections: a client that reconnects to a closed port within
 * that range can connect to itself, and then no server can listen on the port again.
 */
export async function freePort(host?: string): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port, host)) return port;
  }
}

export const isFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(false);
      // Every other port would fail too.
      else reject(new Error(`Nothing can listen at ${host}: ${code ?? message}`));
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
