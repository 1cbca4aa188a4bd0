import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** What undici publishes when it writes the head of a request to a connection. */
interface SentHeaders {
  request: { body: unknown };
  socket: Socket;
}

interface Sent {
  socket: Socket;
  at: number;
  /** How long the connection had been unused; 0 for a new one. */
  idleMs: number;
  bytesReadBefore: number;
}

const channel = 'undici:client:sendHeaders';
const resetCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** A server, or what is between, closes a connection after it was unused for a while, and rejects what comes next at once. */
const limits = { idleMs: 1_000, rejectedWithinMs: 1_000 };

/**
 * Recognizes requests that were sent on a connection which the other side had given up: it was unused, and was reset at the first
 * bytes, without a byte of an answer. Such a request has not been answered, so it may be sent again, on a new connection.
 */
export class StaleConnections {
  /** What was sent, by the body of the request. */
  private readonly sent = new WeakMap<object, Sent>();
  private readonly lastUsedAt = new WeakMap<Socket, number>();
  private readonly onSent = (message: unknown) => this.add(message as SentHeaders);

  constructor() {
    subscribe(channel, this.onSent);
  }

  /** The connection of the request is free from now on. */
  release(body: object): void {
    const sent = this.sent.get(body);
    if (sent) this.lastUsedAt.set(sent.socket, performance.now());
  }

  hasRejected(body: object, error: unknown): boolean {
    const sent = this.sent.get(body);
    const { code } = error as { code?: string };
    return (
      sent !== undefined &&
      resetCodes.has(code ?? '') &&
      sent.idleMs >= limits.idleMs &&
      performance.now() - sent.at < limits.rejectedWithinMs &&
      sent.socket.bytesRead === sent.bytesReadBefore
    );
  }

  close(): void {
    unsubscribe(channel, this.onSent);
  }

  private add({ request: { body }, socket }: SentHeaders): void {
    if (!Buffer.isBuffer(body)) return;
    const at = performance.now();
    const idleMs = at - (this.lastUsedAt.get(socket) ?? at);
    this.sent.set(body, { socket, at, idleMs, bytesReadBefore: socket.bytesRead });
  }
}
