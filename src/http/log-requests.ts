import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type Log, requestFields } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { callerFields } from './auth/noted-caller.ts';
import { clientAddress } from './client-address.ts';
import type { Reply } from './reply.ts';
import { spanOf } from './trace-request.ts';

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if it is valid, else the service's own. `spec 1.4` */
export function chooseRequestId({ 'x-request-id': given }: IncomingHttpHeaders, own: string = randomUUID()): string {
  return typeof given === 'string' && visibleAscii.test(given) ? given : own;
}

export function setRequestId(request: Request, response: Response, next: NextFunction): void {
  const ownId = randomUUID();
  const requestId = chooseRequestId(request.headers, ownId);
  response.locals.ownId = ownId;
  response.locals.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
}

/** nginx's status for a client that disconnected before it was answered: the status it would have had is not known. */
const clientLeft = 499;

/** Clients may invent methods, and each would be a series of its own. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** One line for each request: who, from where, what and how long. Never a query, a body, a header or a key. */
export const logRequests =
  (log: Log, metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    // A closed connection has no address.
    const ip = clientAddress(request);
    response.once('close', () => {
      const elapsedMs = performance.now() - startedAt;
      const path = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
      const status = response.headersSent ? response.statusCode : clientLeft;
      const method = knownMethods.has(request.method) ? request.method : 'other';
      metrics.requests.inc({ method, path, status });
      const refused = refusedIn(response.locals);
      if (refused) metrics.refusals.inc({ status, code: refused.code, limit: refused.limit ?? '' });
      metrics.requestSeconds.observe({ method, path }, elapsedMs / 1_000);
      log[isSuspicious(request, response) ? 'warn' : 'info'](
        {
          ...requestFields({
            requestId: response.locals.requestId as string,
            traceContext: spanOf(response)?.context,
          }),
          method: request.method,
          path,
          status,
          duration_ms: Math.round(elapsedMs),
          ip,
          ...callerFields(response),
          job_id: response.getHeader('x-job-id'),
          call_id: response.getHeader('x-call-id'),
        },
        'request',
      );
    });
    next();
  };

/** The reply, if it is that of an error. */
const refusedIn = (locals: Record<string, unknown>) => locals.refused as Pick<Reply, 'code' | 'limit'> | undefined;

/** 400: a wrong current password, or a set-up when there is an owner. */
const refusedStatuses = new Set([400, 401, 403, 429]);

/**
 * A refusal of a password, of the set-up or of an admin's credential. Many of them are an attack, so the line of each is a warning.
 */
function isSuspicious({ headers }: Request, { statusCode, locals }: Response): boolean {
  if (statusCode === 401 && (headers['x-admin-key'] !== undefined || refusedIn(locals)?.code === 'admin_key_invalid'))
    return true;
  return locals.guardsAccounts === true && refusedStatuses.has(statusCode);
}
