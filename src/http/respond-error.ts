import type { Response } from 'express';
import { InvalidRequest, OutcomeUnknown, Refusal, refuse, Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import { ClientLeft } from './client-left.ts';
import { refusingLimitHeaders } from './limits/limit-headers.ts';
import type { Reply } from './reply.ts';

/** Its body is JSON text. */
type ErrorReply = Reply & { body: string };

const bodyOf = (detail: unknown): string => JSON.stringify({ detail });

/** Any error as a reply. For an error that is not a refusal the client gets the status, the log the cause. */
export function errorReply(error: unknown, log: Log): ErrorReply {
  if (error instanceof InvalidRequest) return { status: 422, headers: {}, body: bodyOf(error.items) };
  if (error instanceof Unavailable) {
    // Without its stack: an outage logs one line for each request that it hits.
    const { cause } = error;
    log.warn({ cause: cause instanceof Error ? cause.message : cause }, error.message);
    return errorReply(refuse('unavailable'), log);
  }
  if (error instanceof Refusal) {
    const challenge: Record<string, string> = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    const limit = error.limit && refusingLimitHeaders(error.limit);
    return { status: error.status, headers: { ...challenge, ...limit, ...error.headers }, body: bodyOf(error.message) };
  }
  if (error instanceof ClientLeft) return errorReply(refuse('unavailable'), log);
  log.error({ err: error }, 'unexpected error');
  return errorReply(refuse('internal_error'), log);
}

export function respondError(response: Response, error: unknown, log: Log): void {
  if (response.headersSent || error instanceof OutcomeUnknown) {
    response.destroy();
    return;
  }
  if (error instanceof Refusal) response.locals.refusal = error.code;
  const { status, headers, body } = errorReply(error, log);
  response.status(status).set(headers).type('json').send(body);
}
