import type { Request, Response } from 'express';
import { readTraceHeaders } from '../domain/trace-context.ts';
import type { ActiveSpan } from '../tracing/tracing.ts';
import { notedCaller } from './auth/noted-caller.ts';
import type { Deps } from './ports.ts';
import type { RouteSpec } from './route.ts';

/** The span of a request; undefined where it has none. */
export const spanOf = ({ locals }: Response): ActiveSpan | undefined => locals.span as ActiveSpan | undefined;

/** What asks many times a minute whether the process is well, and is asked by no one who reads traces. */
const isFrequent = ({ limits }: RouteSpec): boolean => limits?.rate === 'frequent';

/**
 * Begins the span of a request, which ends with the last byte of its answer. It continues the trace of its client. Nothing of the address
 * but the name of the route is in it. `spec 14.11`
 */
export function traceRequest({ tracing }: Deps, spec: RouteSpec, request: Request, response: Response): void {
  if (!tracing || isFrequent(spec)) return;
  const method = request.method;
  const route = spec.path.replaceAll('{+', '{');
  const span = tracing.start({
    name: `${method} ${route}`,
    kind: 'server',
    parent: readTraceHeaders(request.headers),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'request.id': response.locals.requestId as string,
    },
  });
  response.locals.span = span;
  response.once('close', () => {
    const caller = notedCaller(response);
    const jobId = response.getHeader('x-job-id')?.toString();
    span.set({
      'team.id': caller.kind === 'team' ? caller.teamId : undefined,
      'job.id': jobId,
      'session.id': jobId,
      'call.id': response.getHeader('x-call-id')?.toString(),
      'http.response.status_code': response.headersSent ? response.statusCode : undefined,
    });
    span.end(errorOf(response));
  });
}

/** An error of the client is none of the span. */
function errorOf({ headersSent, statusCode }: Response): string | undefined {
  if (!headersSent) return 'client_disconnected';
  return statusCode >= 500 ? String(statusCode) : undefined;
}
