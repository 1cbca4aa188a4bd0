import type { Response } from 'express';
import { InvalidRequest, OutcomeUnknown, Refusal, refuse, Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import { ClientDisconnected } from './client-disconnect.ts';
import { refusingLimitHeaders, stateNow } from './limits/limit-headers.ts';
import type { Reply } from './reply.ts';
import type { ErrorFormat, ReportedError } from './surface.ts';
import { defaultSurface } from './surfaces.ts';

/** Its body is JSON text. */
type ErrorReply = Reply & { body: string };

/** Any error as a reply. For an error that is not a refusal the client gets the status, the log the cause. */
export function errorReply(
  error: unknown,
  log: Log,
  surface: ErrorFormat = defaultSurface,
  requestId?: string,
): ErrorReply {
  const replyWith = (found: ReportedError, headers: Record<string, string> = {}, limit?: string): ErrorReply => {
    const reported = { ...found, requestId };
    return {
      status: surface.errorStatus(reported),
      headers: { ...surface.errorHeaders(reported), ...headers },
      body: JSON.stringify(surface.errorBody(reported)),
      code: reported.code,
      limit,
    };
  };
  if (error instanceof InvalidRequest) return replyWith({ status: 422, code: error.code, detail: error.items });
  if (error instanceof Refusal) {
    const { status, code, message: detail, limit, headers, figures } = error;
    const { team } = limit ?? {};
    const retryAfterMs = limit && stateNow(limit).resetMs;
    const teamLimits = team && { calls: stateNow(team.calls), tokens: stateNow(team.tokens) };
    return replyWith(
      { status, code, detail, figures, retryAfterMs, teamLimits },
      { ...(limit && refusingLimitHeaders(limit)), ...headers },
      limit?.name ?? (figures?.cap as string | undefined),
    );
  }
  if (error instanceof ClientDisconnected) return errorReply(refuse('unavailable'), log, surface, requestId);
  if (error instanceof Unavailable) {
    // The stack is left out: an outage logs one line for each request that it affects.
    const { cause } = error;
    log.warn({ cause: cause instanceof Error ? cause.message : cause }, error.message);
    return errorReply(refuse('unavailable'), log, surface, requestId);
  }
  log.error({ err: error }, 'request: unexpected error');
  return errorReply(refuse('internal_error'), log, surface, requestId);
}

export function respondError(response: Response, error: unknown, log: Log, surface: ErrorFormat): void {
  if (response.headersSent || error instanceof OutcomeUnknown) {
    response.destroy();
    return;
  }
  const reply = errorReply(error, log, surface, response.locals.requestId as string);
  response.locals.refused = reply;
  response.status(reply.status).set(reply.headers).type('json').send(reply.body);
}
