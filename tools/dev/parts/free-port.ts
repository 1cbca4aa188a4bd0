import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port. Taken below the range from which systems give ports to outgoing connections: a client that redials a dead port
 * within it can end up connected to itself, and then the port cannot be listened on again.
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
      // No other port would do either.
      else reject(new Error(`Nothing can listen at ${host}: ${code ?? message}`));
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
