import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { authenticate } from './authenticate.ts';
import { idFrom } from './derive-id.ts';
import { parseBody, readBytes } from './read-body.ts';
import type { RequestContext, RouteSpec } from './route.ts';
import { readQuery, validate } from './validate.ts';

/** What a handler is given, and the body as it was sent. */
export interface ReadRequest {
  context: RequestContext;
  sent: unknown;
}

const nothing = z.object({});

/** The order of checks of `rulings.md` 1.2, up to where a handler takes over. */
export async function readRequest(
  deps: Deps,
  spec: RouteSpec,
  request: Request,
  response: Response,
): Promise<ReadRequest> {
  const bytes = await readBytes(request, response, spec.largeBody ? 'call' : 'standard');
  const caller = await authenticate(deps, request, spec.auth);
  const params = validate(spec.params ?? nothing, 'path', request.params);
  const querySchema = spec.query ?? nothing;
  const query = validate(querySchema, 'query', readQuery(querySchema, request.query));
  const sent = spec.body && parseBody(request, bytes);
  const body = spec.body && validate(spec.body, 'body', sent === undefined && spec.bodyOptional ? {} : sent);
  return {
    sent,
    context: {
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
      gone: goneSignal(response),
    },
  };
}

function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}
