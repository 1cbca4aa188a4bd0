import type { RequestHandler } from 'express';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** One line a request: ids, route and duration. Never a query, a body, a header or a key. */
export const logRequests =
  (log: Log, metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const elapsedMs = performance.now() - startedAt;
      const path = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
      metrics.requests.inc({ method: request.method, path, status: response.statusCode });
      metrics.requestSeconds.observe({ method: request.method, path }, elapsedMs / 1_000);
      log.info(
        {
          request_id: response.locals.requestId,
          method: request.method,
          path,
          status: response.statusCode,
          duration_ms: Math.round(elapsedMs),
          job_id: response.getHeader('x-job-id'),
          call_id: response.getHeader('x-call-id'),
        },
        'request',
      );
    });
    next();
  };
