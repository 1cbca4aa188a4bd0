import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Deps } from '../deps.ts';
import { invalid, refuse } from '../errors.ts';
import { handleRequest } from './handle-request.ts';
import { logRequests } from './log-requests.ts';
import { serveDocs } from './openapi/serve-docs.ts';
import { respondError } from './respond-error.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

function giveRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && visibleAscii.test(given) ? given : randomUUID();
  response.locals.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
}

/** RFC 9112, 3.2: without it nobody can say which host was meant. */
function requireHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersionMinor >= 1) throw refuse('request_malformed');
  next();
}

const expressPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

function mount(app: Express, deps: Deps, path: string, onPath: Route[]): void {
  const allow = onPath
    .map((one) => one.spec.method.toUpperCase())
    .concat(onPath.some((one) => one.spec.method === 'get') ? ['HEAD'] : []);
  const at = app.route(path);
  for (const one of onPath)
    at[one.spec.method]((request: Request, response: Response) => handleRequest(deps, one, request, response));
  at.all(() => {
    throw refuse('method_not_allowed').with({ Allow: allow.join(', ') });
  });
}

/** Fixed paths before those with parameters, so that `/api/jobs/create` is never a job called "create". */
const byPath = (all: readonly Route[]): [string, Route[]][] =>
  [...Map.groupBy(all, (one) => expressPath(one.spec.path))].sort(
    ([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')),
  );

export function createApp(deps: Deps, all: readonly Route[] = routes): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', 'extended');
  if (deps.config.TRUST_PROXY !== 'off') app.set('trust proxy', trustProxy(deps.config.TRUST_PROXY));
  app.use(giveRequestId, logRequests(deps.log, deps.metrics), helmet({ contentSecurityPolicy: false }), requireHost);
  serveDocs(app, all);
  for (const [path, onPath] of byPath(all)) mount(app, deps, path, onPath);
  app.use(() => {
    throw refuse('path_not_found');
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const unreadablePath = error instanceof URIError ? invalid(['path'], 'Path is not valid percent-encoding') : error;
    respondError(response, unreadablePath, deps.log.child({ request_id: response.locals.requestId }));
  });
  return app;
}

/** `TRUST_PROXY`: `on`, a number of hops, or a list of addresses, as Express takes it. */
const trustProxy = (setting: string): boolean | number | string =>
  setting === 'on' || setting === 'true' ? true : /^\d+$/.test(setting) ? Number(setting) : setting;
