import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** No client that we know sends a request before it has received the answer to the one before. */
const maxUnanswered = 16;

/** The requests of each connection that are not answered yet. */
export interface UnansweredRequests {
  /**
   * Counts a request. False for one that must not be answered, because too many of its connection are not: the connection is then
   * closed. Node.js emits every request of a packet, a thousand in 64 KiB, before anything else happens; the rest of them is skipped.
   */
  accept(request: IncomingMessage, response: ServerResponse): boolean;
  isIdle(socket: Socket): boolean;
}

export function createUnansweredRequests(limit = maxUnanswered): UnansweredRequests {
  const counts = new WeakMap<Socket, number>();
  return {
    accept({ socket }, response) {
      if (socket.destroyed) return false;
      const count = (counts.get(socket) ?? 0) + 1;
      if (count > limit) {
        // An answer would be read as that of an earlier request.
        socket.destroy();
        return false;
      }
      counts.set(socket, count);
      response.once('close', () => counts.set(socket, counts.get(socket)! - 1));
      return true;
    },
    isIdle: (socket) => !counts.get(socket),
  };
}
