import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** No client that we know sends a request before it has received the answer to the one before. */
const maxUnanswered = 16;

/**
 * Limits the requests of a connection that are not answered yet. Node.js emits every request of a packet (a thousand in 64 KiB) before
 * anything else happens, and would begin them all at once. One request more than `maxUnanswered` closes the connection at once, without
 * an answer: what an earlier request has written is sent as far as the client reads it, and nothing follows it.
 *
 * Returns a function that is true for a request that is to be answered.
 */
export function limitPipelining(
  limit = maxUnanswered,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    // The rest of the packet that has closed the connection.
    if (socket.destroyed) return false;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > limit) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    return true;
  };
}
