import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { LoggedRequest } from './request-log.ts';
import type { Simulation } from './simulation.ts';

/** One request in progress. `closed` fires when the connection ends before the answer, whichever side ended it. */
export type Exchange = {
  simulation: Simulation;
  request: Request;
  response: Response;
  entry: LoggedRequest;
  closed: AbortSignal;
};

/** The result of a handler that has written, or broken, the answer itself. */
export const answered = Symbol('answered');

/** Waits. Throws when the client disconnects meanwhile, which ends the handler. */
export const pause = async ({ closed }: Exchange, ms: number): Promise<void> => {
  if (ms > 0) await delay(ms, undefined, { signal: closed });
};

/** Waits until the client disconnects, and then throws. */
export const hang = ({ closed }: Exchange): Promise<never> =>
  new Promise((_, reject) => {
    if (closed.aborted) reject(closed.reason);
    else closed.addEventListener('abort', () => reject(closed.reason), { once: true });
  });

/** Writes bytes and waits until they are flushed, so that a slow reader slows the simulator down. */
export const write = ({ response, closed }: Exchange, bytes: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    if (closed.aborted) return reject(closed.reason);
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

/** Ends the connection in the middle of an answer: `reset` with an RST, `cut` with an ordinary close. */
export function breakConnection({ simulation, entry, response }: Exchange, how: 'reset' | 'cut'): typeof answered {
  simulation.log.end(entry, 'broken', response.headersSent ? response.statusCode : null);
  if (how === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.destroy();
  return answered;
}
