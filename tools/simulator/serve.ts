import type { Request, RequestHandler, Response } from 'express';
import { answered, type Exchange } from './exchange.ts';
import { followScript } from './follow-script.ts';
import type { LoggedRequest } from './request-log.ts';
import type { Simulation } from './simulation.ts';
import { SimulatorError } from './simulator-error.ts';

/** Logs the request, sends what the handler returns as JSON, and what it throws as LiteLLM sends errors. */
export function serve(simulation: Simulation, handle: (exchange: Exchange) => unknown): RequestHandler {
  return async (request, response) => {
    const entry = logRequest(simulation, request);
    const left = new AbortController();
    response.once('close', () => {
      simulation.log.end(entry, response.writableFinished ? 'answered' : 'aborted', response.statusCode);
      left.abort();
    });
    try {
      const answer = await followScript({ simulation, request, response, entry, gone: left.signal }, handle);
      if (answer !== answered) response.json(answer);
    } catch (error) {
      if (!left.signal.aborted && !response.headersSent) sendError(response, error);
    }
  };
}

export function sendError(response: Response, error: unknown): void {
  const known = error instanceof SimulatorError ? error : new SimulatorError(500, `Internal server error: ${error}`);
  response.status(known.status).set(known.headers).json(known.body);
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function logRequest({ log }: Simulation, request: Request): LoggedRequest {
  const body: Record<string, unknown> = request.body ?? {};
  return log.add(
    {
      method: request.method,
      path: request.path,
      model: text(body.model),
      user: text(body.user),
      key: /^Bearer\s+(\S.*)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null,
      stream: body.stream === true,
      body: request.body ?? null,
    },
    Number(request.get('content-length') ?? 0),
  );
}
