import type { Request, Response } from 'express';

/** The client left before it was answered. The error is not sent to anyone. */
export class ClientLeft extends Error {
  constructor() {
    super('the client left');
    this.name = 'ClientLeft';
  }
}

/** Aborts with `ClientLeft` when the client leaves before its answer was sent to the end. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  // The error, with its stack, is made only for clients that leave.
  if (response.closed) gone.abort(new ClientLeft());
  else response.once('close', () => response.writableFinished || gone.abort(new ClientLeft()));
  return gone.signal;
}

/**
 * Aborts with `ClientLeft` when the client closes its sending side. Most clients that do so have left, which shows only when an
 * answer is sent, but some still read their answer (`spec 5.8`). It is therefore for costly work that waits for its turn.
 */
export function endedSignal({ socket }: Request, response: Response): AbortSignal {
  const ended = new AbortController();
  const end = () => ended.abort(new ClientLeft());
  if (socket.readableEnded) end();
  else {
    socket.once('end', end);
    response.once('close', () => socket.off('end', end));
  }
  return ended.signal;
}
