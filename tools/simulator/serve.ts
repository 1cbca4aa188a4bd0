import type { Request, RequestHandler, Response } from 'express';
import { applyFault } from './behaviour/apply-fault.ts';
import { SimulatorError } from './errors.ts';
import { answered, breakConnection, type Exchange, pause } from './exchange.ts';
import type { LoggedRequest } from './request-log.ts';
import type { Simulation } from './simulation.ts';

/** Logs the request, and sends the result of the handler as JSON, or its error in LiteLLM's form. */
export function serve(simulation: Simulation, handle: (exchange: Exchange) => unknown): RequestHandler {
  return async (request, response) => {
    const entry = logRequest(simulation, request);
    const disconnected = new AbortController();
    response.once('close', () => {
      simulation.log.end(entry, response.writableFinished ? 'answered' : 'aborted', response.statusCode);
      disconnected.abort();
    });
    try {
      const answer = await handleWithScript(
        { simulation, request, response, entry, closed: disconnected.signal },
        handle,
      );
      if (answer !== answered) response.json(answer);
    } catch (error) {
      if (!disconnected.signal.aborted && !response.headersSent) sendError(response, error);
    }
  };
}

/**
 * Applies a script for the path. A `cut` comes after the effect: the team exists, but the client that created it gets no response. Every
 * other fault comes before the effect.
 */
async function handleWithScript(exchange: Exchange, handle: (exchange: Exchange) => unknown): Promise<unknown> {
  const { simulation, entry } = exchange;
  const behaviour = simulation.scripts.nextForPath(entry.path);
  if (!behaviour) return handle(exchange);
  await pause(exchange, behaviour.latencyMs);
  if (await applyFault(exchange, behaviour, entry.path)) return answered;
  const answer = await handle(exchange);
  return behaviour.fault?.kind === 'cut' && answer !== answered ? breakConnection(exchange, 'cut') : answer;
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
      request_id: request.get('x-request-id') ?? null,
      traceparent: request.get('traceparent') ?? null,
      tracestate: request.get('tracestate') ?? null,
      key: /^Bearer\s+(\S.*)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null,
      stream: body.stream === true,
      body: request.body ?? null,
    },
    Number(request.get('content-length') ?? 0),
  );
}
