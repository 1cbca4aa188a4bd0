import type { Response } from 'express';

/** The client left before it was answered: nobody reads what is thrown. */
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
