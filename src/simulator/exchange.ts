import { setTimeout as delay } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { LoggedRequest } from './request-log.ts';
import type { Simulation } from './simulation.ts';
import { UpstreamError } from './upstream-error.ts';

/** One request under way. `gone` fires when the connection ends before the answer does, whoever ended it. */
export type Exchange = {
  simulation: Simulation;
  request: Request;
  response: Response;
  entry: LoggedRequest;
  gone: AbortSignal;
};

/** What a handler returns when it has written, or broken, the answer itself. */
export const answered = Symbol('answered');

export const bearer = (request: Request): string | null =>
  /^Bearer\s+(\S.*)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Logs the request, sends what the handler returns as JSON and what it throws as LiteLLM sends errors. */
export function serve(simulation: Simulation, handle: (exchange: Exchange) => unknown): RequestHandler {
  return async (request, response) => {
    const body: Record<string, unknown> = request.body ?? {};
    const entry = simulation.log.add(
      {
        method: request.method,
        path: request.path,
        model: text(body.model),
        user: text(body.user),
        key: bearer(request),
        stream: body.stream === true,
        body: request.body ?? null,
      },
      Number(request.get('content-length') ?? 0),
    );
    const left = new AbortController();
    response.once('close', () => {
      simulation.log.end(entry, response.writableFinished ? 'answered' : 'aborted', response.statusCode);
      left.abort();
    });
    try {
      const answer = await handle({ simulation, request, response, entry, gone: left.signal });
      if (answer !== answered) response.json(answer);
    } catch (error) {
      if (left.signal.aborted || response.headersSent) return;
      sendError(response, error);
    }
  };
}

export function sendError(response: Response, error: unknown): void {
  const known = error instanceof UpstreamError ? error : new UpstreamError(500, `Internal server error: ${error}`);
  response.status(known.status).set(known.headers).json(known.body);
}

/** Waits, unless the client goes away first: then it throws, which ends the handler. */
export const pause = async ({ gone }: Exchange, ms: number): Promise<void> => {
  if (ms > 0) await delay(ms, undefined, { signal: gone });
};

/** Never comes back while the client stays. */
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
