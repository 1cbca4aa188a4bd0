import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface DrainTimes {
  /** The server still accepts connections for this long: until load balancers have noticed. */
  lameDuckMs: number;
  /** Requests in flight may then take this long. */
  drainMs: number;
}

/**
 * A client that gets an answer on a kept connection sends its next request at once or after a while. So a connection is closed when
 * it has been idle for this long, and not at the moment at which it becomes idle.
 */
const idleMs = 1_000;

/** The last answers have so long after `interrupt`. */
const cutMs = 4_000;

/**
 * Ends the server without a refused or reset request. From the beginning of the drain each answer has `Connection: close`. After
 * the lame duck no connection is accepted, and those without a request are closed. `interrupt` is called when the drain is over,
 * and four seconds later every connection is cut. Resolves as soon as no connection is left.
 */
export function createServerDrain(server: Server) {
  const sockets = new Set<Socket>();
  const unanswered = new Set<ServerResponse>();
  let isDraining = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** Node.js counts a connection that has not sent anything as one with a request. */
  const closeSilent = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return {
    /** Tracks each request, before it is answered. */
    track(response: ServerResponse): void {
      if (isDraining) response.shouldKeepAlive = false;
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
    },
    async drain(interrupt: () => void, { lameDuckMs, drainMs }: DrainTimes): Promise<void> {
      const closed = once(server, 'close');
      isDraining = true;
      for (const response of unanswered) response.shouldKeepAlive = false;
      await pause(lameDuckMs);
      // The `close` of `http` would also end the timeouts of requests that are being received.
      NetServer.prototype.close.call(server);
      server.closeIdleConnections();
      server.keepAliveTimeout = idleMs;
      const timers = [
        setTimeout(closeSilent, idleMs),
        setTimeout(interrupt, drainMs),
        setTimeout(() => server.closeAllConnections(), drainMs + cutMs),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
