import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';
import { Refusal, refuse } from '../errors.ts';
import { requestFields } from '../log.ts';
import { allowOrigins } from './allow-origins.ts';
import { pagesOfSignIn } from './api/sessions/sign-in-by-oidc.ts';
import { receiveRemainder } from './body/receive-body.ts';
import { warnOfUntrustedProxy } from './client-address.ts';
import { serveConsole } from './console/serve-console.ts';
import { limitStrangers } from './limits/limit-strangers.ts';
import { frequentFactor } from './limits/take-limits.ts';
import { logRequests, setRequestId } from './log-requests.ts';
import { serveDocs } from './openapi/serve-docs.ts';
import { servePages } from './openapi/serve-pages.ts';
import { handleRequest } from './pipeline/handle-request.ts';
import type { Deps } from './ports.ts';
import { respondError } from './respond-error.ts';
import type { Route, RouteSpec } from './route.ts';
import { routes } from './routes.ts';
import { hostProblems } from './served-hosts.ts';
import type { Surface } from './surface.ts';
import { surfaceOf } from './surfaces.ts';
import { spanOf } from './trace-request.ts';
import { newUnknownPaths } from './unknown-path/unknown-paths.ts';
import { isNotOffered } from './v1/unknown-paths.ts';
import { encodeUnreadableParts } from './validation/unreadable-path-parts.ts';

interface Locals {
  requestId: string;
  /** Undefined until a path has matched. */
  surface?: Surface;
}

/** No cache may keep an answer: a shared one could give it to another caller, because `X-Admin-Key` is no standard credential. */
const privateHeaders = { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-Admin-Key' };

/** Forbids caching for each request with a credential, also with an unknown path or method. A route may set something stricter. */
const forbidCaching: RequestHandler = ({ headers }, response, next) => {
  if (headers.authorization !== undefined || headers['x-admin-key'] !== undefined) response.set(privateHeaders);
  if (headers['x-api-key'] !== undefined) response.set(privateHeaders).vary('X-Api-Key');
  next();
};

function requireHost(config: Config): RequestHandler {
  const problemOf = hostProblems(config);
  return (request, _response, next) => {
    const problem = problemOf(request);
    if (problem) throw refuse(problem);
    next();
  };
}

const expressPath = ({ path }: RouteSpec): string =>
  path.replaceAll(/\{(\+?)(\w+)\}/g, (_, slashes: string, name: string) => (slashes ? '*' : ':') + name);

const hasParameter = (path: string): boolean => /[:*]/.test(path);

const methodsOf = (onPath: readonly Route[]): string[] => {
  const methods = [...new Set(onPath.map((one) => one.spec.method.toUpperCase()))];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
};

/** A route may be for requests with some header alone; it goes before the one for all others. */
const isMeant = ({ spec: { withHeader } }: Route, { headers }: Request): boolean =>
  withHeader === undefined || headers[withHeader] !== undefined;

/** `byId`: routes with an id in their path that this fixed path matches too. They serve the methods that `onPath` does not have. */
function mount(app: Express, deps: Deps, path: string, onPath: readonly Route[], byId: readonly Route[]): void {
  const methodsById = methodsOf(byId);
  const allow = [...methodsOf(onPath), ...methodsById].join(', ');
  const all = [...onPath, ...byId].toSorted((a, b) => Number(!a.spec.withHeader) - Number(!b.spec.withHeader));
  const at = app.route(path).all((request: Request, response: Response, next: NextFunction) => {
    response.locals.surface = surfaceOf(all.find((one) => isMeant(one, request))!.spec);
    next();
  });
  for (const one of all.filter((route) => onPath.includes(route)))
    at[one.spec.method]((request: Request, response: Response, next: NextFunction) =>
      isMeant(one, request) ? handleRequest(deps, one, request, response) : next(),
    );
  at.all((request: Request, _response: Response, next: NextFunction) => {
    if (isNotOffered(request)) return next('route');
    if (!methodsById.includes(request.method)) throw refuse('method_not_allowed', allow).with({ Allow: allow });
    next('route');
  });
}

/** `GET /api/teams/create` reads the team named `create`; `GET /api/jobs/create` reads none, because no job can have that id. */
function byIdOn(path: string, all: readonly Route[]): Route[] {
  if (hasParameter(path)) return [];
  const cut = path.lastIndexOf('/');
  return all.filter(({ spec }) => {
    const [, parent, parameter] = /^(.*)\/\{\+?(\w+)\}$/.exec(spec.path) ?? [];
    return parent === path.slice(0, cut) && spec.params?.safeParse({ [parameter!]: path.slice(cut + 1) }).success;
  });
}

/** The routes by path, fixed paths before those with parameters: `POST /api/jobs/create` is not about a job. */
const byPath = (all: readonly Route[]): [string, Route[]][] =>
  [...Map.groupBy(all, (one) => expressPath(one.spec))].sort(
    ([a], [b]) => Number(hasParameter(a)) - Number(hasParameter(b)),
  );

/**
 * Probes have a limit of their own, so that no other request of their network can make a load balancer believe that this process is
 * away: 200 a second by default, of which ten balancers need ten.
 */
const probesOf = (all: readonly Route[]): string[] =>
  all
    .filter(({ spec }) => spec.limits?.rate === 'frequent' && spec.access.audience.length === 0)
    .map(({ spec }) => spec.path);

/** Requests that need a credential, and lack a valid one, are counted and delayed where it is read. */
const isAnsweredToStranger = (error: unknown, { locals }: Response): boolean =>
  error instanceof Refusal && locals.caller === undefined && error.status !== 401 && error.status !== 429;

export function createApp(deps: Deps, all: readonly Route[] = routes): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', 'extended');
  app.set('trust proxy', deps.config.TRUST_PROXY);
  app.use(warnOfUntrustedProxy(deps));
  app.use(setRequestId, logRequests(deps.log, deps.metrics), helmet({ contentSecurityPolicy: false }));
  const { RATE_LIMIT_REQUESTS_PER_MINUTE: perMinute } = deps.config;
  const limited = limitStrangers(perMinute);
  const unknownPaths = newUnknownPaths(all);
  app.use(forbidCaching, requireHost(deps.config), allowOrigins(deps.config, limited));
  app.use(encodeUnreadableParts);
  app.get(probesOf(all), limitStrangers(frequentFactor * perMinute));
  app.get('/', limited);
  app.use(['/openapi.json', '/llms.txt', '/docs', '/console'], limited);
  serveDocs(app, all);
  servePages(app);
  serveConsole(app, deps.config);
  for (const [path, onPath] of byPath([...all, ...pagesOfSignIn])) mount(app, deps, path, onPath, byIdOn(path, all));
  app.use(({ path }: Request) => {
    throw refuse('path_not_found', unknownPaths.advise(path));
  });
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (!isAnsweredToStranger(error, response)) return next(error);
    limited(request, response, (excess?: unknown) => next(excess ?? error));
  });
  app.use(async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    await receiveRemainder(request, response);
    const { requestId, surface } = response.locals as Locals;
    const format = surface ?? unknownPaths.errorFormat(request.path);
    respondError(
      response,
      error,
      deps.log.child(requestFields({ requestId, traceContext: spanOf(response)?.context })),
      format,
    );
  });
  return app;
}
