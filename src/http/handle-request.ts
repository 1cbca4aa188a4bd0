import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { asOutage } from '../db/failures.ts';
import type { Deps } from '../deps.ts';
import { authenticate } from './authenticate.ts';
import { idFrom } from './derive-id.ts';
import { withIdempotency } from './idempotency.ts';
import { limitManagement } from './limits.ts';
import { parseBody, readBytes } from './read-body.ts';
import type { RequestContext, Route, RouteSpec } from './route.ts';
import { EventStream } from './stream/event-stream.ts';
import { writeEventStream } from './stream/write-event-stream.ts';
import { readQuery, validate } from './validate.ts';

const nothing = z.object({});

const bodyOf = (spec: RouteSpec, request: Request, bytes: Buffer): unknown => {
  if (!spec.body) return undefined;
  const value = parseBody(request, bytes);
  return validate(spec.body, 'body', value === undefined && spec.bodyOptional ? {} : value);
};

/** The order of checks of `rulings.md` 1.2, up to where a handler takes over. */
async function readContext(deps: Deps, spec: RouteSpec, request: Request, response: Response): Promise<RequestContext> {
  const bytes = await readBytes(request, response, spec.largeBody ? 'call' : 'standard');
  const caller = await authenticate(deps, request, spec.auth);
  const params = validate(spec.params ?? nothing, 'path', request.params);
  const querySchema = spec.query ?? nothing;
  const query = validate(querySchema, 'query', readQuery(querySchema, request.query));
  const body = bodyOf(spec, request, bytes);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return {
    deps,
    caller,
    params,
    query,
    body,
    requestId: response.locals.requestId as string,
    ip: request.ip ?? '',
    userAgent: request.headers['user-agent'],
    newId: idFrom(randomUUID()),
    repeatable: false,
    setHeader: (name, value) => void response.setHeader(name, value),
    gone: gone.signal,
  };
}

/** What a handler came to: a checked answer, or a stream. */
async function carryOut(route: Route, context: RequestContext): Promise<unknown> {
  if (route.spec.limit === 'management') await limitManagement(context, route.spec.method);
  const answer = await route.handle(context).catch((error: unknown) => {
    throw asOutage(error);
  });
  if (answer instanceof EventStream) return answer;
  // What goes out is parsed too: an answer outside its schema is our bug, not the client's riddle.
  return route.spec.response.parse(answer);
}

/** Runs one request through a route. Throws what is to be answered as an error. */
export async function handleRequest(deps: Deps, route: Route, request: Request, response: Response): Promise<void> {
  const { spec } = route;
  if (spec.secret) response.setHeader('Cache-Control', 'no-store');
  const context = await readContext(deps, spec, request, response);
  const answer = await withIdempotency(route, request, context, (repeatable) => carryOut(route, repeatable));
  if (answer instanceof EventStream) return writeEventStream(response, answer, context.gone);
  if (!response.headersSent) response.status(200).json(answer);
}
