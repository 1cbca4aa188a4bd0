import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { LoggedRequest } from './request-log.ts';
import type { Simulation } from './simulation.ts';

/** One request under way. `gone` fires when the connection ends before the answer does, whichever side ended it. */
export type Exchange = {
  simulation: Simulation;
  request: Request;
  response: Response;
  entry: LoggedRequest;
  gone: AbortSignal;
};

/** The result of a handler that has written, or broken, the answer itself. */
export const answered = Symbol('answered');

/** Waits, unless the client goes away first: then it throws, which ends the handler. */
export const pause = async ({ gone }: Exchange, ms: number): Promise<void> => {
  if (ms > 0) await delay(ms, undefined, { signal: gone });
};

/** Never resolves while the client stays. */
export const hang = ({ gone }: Exchange): Promise<never> =>
  new Promise((_, reject) => {
    if (gone.aborted) reject(gone.reason);
    else gone.addEventListener('abort', () => reject(gone.reason), { once: true });
  });

/** Hands bytes to the socket and waits for them to leave, so that a slow reader holds the simulator back. */
export const write = ({ response, gone }: Exchange, bytes: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    if (gone.aborted) return reject(gone.reason);
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

/** Ends the connection under the answer: `reset` with an RST, `cut` with an ordinary close. */
export function breakConnection({ simulation, entry, response }: Exchange, how: 'reset' | 'cut'): typeof answered {
  simulation.log.end(entry, 'broken', response.headersSent ? response.statusCode : null);
  if (how === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.destroy();
  return answered;
}
