import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/** A browser shows a page only the headers that are named here. */
const exposedHeaders = [
  'X-Request-Id',
  'X-Job-Id',
  'X-Call-Id',
  'X-Job-Deadline',
  'X-Job-Remaining',
  'X-Ignored-Fields',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  ...['requests', 'tokens'].flatMap((name) =>
    ['limit', 'remaining', 'reset'].map((figure) => `x-ratelimit-${figure}-${name}`),
  ),
  ...['requests', 'tokens'].flatMap((name) =>
    ['limit', 'remaining', 'reset'].map((figure) => `anthropic-ratelimit-${name}-${figure}`),
  ),
  'request-id',
  'X-Token-Count',
  'x-should-retry',
  'Retry-After',
  'retry-after-ms',
  'Idempotent-Replayed',
  'X-Total-Count',
  'X-Next-Cursor',
];

/** How long a browser need not ask again, in seconds. */
const maxAge = 600;

/** Lets pages of these origins use the service from a browser; without any, no page of another origin. `spec 17.27` */
export function allowOrigins({ CORS_ORIGINS }: Pick<Config, 'CORS_ORIGINS'>, limited: RequestHandler): RequestHandler {
  if (CORS_ORIGINS.length === 0) return (_request, _response, next) => next();
  const origin = CORS_ORIGINS.includes('*') ? '*' : CORS_ORIGINS;
  const allow = cors({ origin, exposedHeaders, maxAge });
  return (request, response, next) => {
    // A browser asks with OPTIONS, without a credential, and is answered here.
    if (request.method !== 'OPTIONS') return allow(request, response, next);
    limited(request, response, (refused?: unknown) => (refused ? next(refused) : allow(request, response, next)));
  };
}
