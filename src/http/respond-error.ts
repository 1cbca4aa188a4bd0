import type { Response } from 'express';
import { InvalidRequest, Refusal, refuse, Unavailable } from '../errors.ts';
import type { Log } from '../log.ts';

interface Answer {
  status: number;
  body: { detail: unknown };
  headers: Record<string, string>;
}

/** Any error as an answer. What is not a refusal is ours to know: the client learns the status, the log the cause. */
export function errorAnswer(error: unknown, log: Log): Answer {
  if (error instanceof InvalidRequest) return { status: 422, body: { detail: error.items }, headers: {} };
  if (error instanceof Unavailable) {
    log.warn({ err: error.cause ?? error }, error.message);
    return errorAnswer(refuse('unavailable'), log);
  }
  if (error instanceof Refusal) {
    const challenge: Record<string, string> = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    return { status: error.status, body: { detail: error.message }, headers: { ...challenge, ...error.headers } };
  }
  log.error({ err: error }, 'unexpected error');
  return { status: 500, body: { detail: 'Internal server error' }, headers: {} };
}

export function respondError(response: Response, error: unknown, log: Log): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, body, headers } = errorAnswer(error, log);
  response.status(status).set(headers).json(body);
}
