import type { Response } from 'express';
import { InvalidRequest, OutcomeUnknown, Refusal, refuse, Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import { ClientLeft } from './client-left.ts';
import { refusingLimitHeaders } from './limits/limit-headers.ts';
import type { Reply } from './reply.ts';
import { apiSurface } from './surfaces/api.ts';
import type { ShownError, Surface } from './surfaces/surface.ts';

/** Its body is JSON text. */
type ErrorReply = Reply & { body: string };

/** Any error as a reply. For an error that is not a refusal the client gets the status, the log the cause. */
export function errorReply(error: unknown, log: Log, surface: Surface = apiSurface): ErrorReply {
  const bodyOf = (shown: ShownError) => JSON.stringify(surface.errorBody(shown));
  if (error instanceof InvalidRequest) {
    const shown = { status: 422, code: 'request_malformed', detail: error.items } as const;
    return { status: 422, headers: {}, body: bodyOf(shown) };
  }
  if (error instanceof Unavailable) {
    // Without its stack: an outage logs one line for each request that it hits.
    const { cause } = error;
    log.warn({ cause: cause instanceof Error ? cause.message : cause }, error.message);
    return errorReply(refuse('unavailable'), log, surface);
  }
  if (error instanceof Refusal) {
    const challenge: Record<string, string> = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    const limit = error.limit && refusingLimitHeaders(error.limit);
    return {
      status: error.status,
      headers: { ...challenge, ...limit, ...error.headers },
      body: bodyOf({ status: error.status, code: error.code, detail: error.message }),
    };
  }
  if (error instanceof ClientLeft) return errorReply(refuse('unavailable'), log, surface);
  log.error({ err: error }, 'unexpected error');
  return errorReply(refuse('internal_error'), log, surface);
}

export function respondError(response: Response, error: unknown, log: Log): void {
  if (response.headersSent || error instanceof OutcomeUnknown) {
    response.destroy();
    return;
  }
  if (error instanceof Refusal) response.locals.refusal = error.code;
  const { status, headers, body } = errorReply(error, log, response.locals.surface as Surface | undefined);
  response.status(status).set(headers).type('json').send(body);
}
