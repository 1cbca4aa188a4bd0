import type { Request, Response } from 'express';

/** The client disconnected before it was answered. The error is not sent to anyone. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'ClientDisconnected';
  }
}

/** Aborts with `ClientDisconnected` when the client disconnects before its response was sent to the end. */
export function disconnectSignal(response: Response): AbortSignal {
  const disconnected = new AbortController();
  // The error, with its stack, is made only for clients that disconnect.
  if (response.closed) disconnected.abort(new ClientDisconnected());
  else response.once('close', () => response.writableFinished || disconnected.abort(new ClientDisconnected()));
  return disconnected.signal;
}

/**
 * Aborts with `ClientDisconnected` when the client closes its sending side (a half-close). Most clients that do so have disconnected,
 * which shows only when a response is sent, but some still read it (`spec 5.8`). It is therefore for costly work that waits for its
 * turn.
 */
export function halfCloseSignal({ socket }: Request, response: Response): AbortSignal {
  const halfClosed = new AbortController();
  const end = () => halfClosed.abort(new ClientDisconnected());
  if (socket.readableEnded) end();
  else {
    socket.once('end', end);
    response.once('close', () => socket.off('end', end));
  }
  return halfClosed.signal;
}
