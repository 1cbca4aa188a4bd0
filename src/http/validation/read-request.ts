import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { InvalidRequest } from '../../errors.ts';
import type { Caller } from '../auth/caller.ts';
import { inspectJson } from '../body/inspect-json.ts';
import { type ParsedBody, parseBody } from '../body/parse-body.ts';
import { endedSignal } from '../client-left.ts';
import { idFrom } from '../idempotency/derive-id.ts';
import type { Deps } from '../ports.ts';
import type { RequestContext, RouteSpec } from '../route.ts';
import { unreadableParameters } from './unreadable-path.ts';
import { readQuery, validateAll } from './validate.ts';

/** A request that has arrived completely. */
export interface Arrived {
  request: Request;
  response: Response;
  /** Unpacked. Undefined for a route that takes no body. */
  body: Buffer | undefined;
  /** The client's address. */
  ip: string;
  /** Aborted when the client leaves. */
  gone: AbortSignal;
}

/** The context of a handler, and the body as it was sent. */
export interface ReadRequest {
  context: RequestContext;
  sent: unknown;
}

const nothing = z.object({});
const empty: ParsedBody = { value: {}, exact: {} };

/** Reads what a caller asks for, in the order of checks of `spec 1.2`, from the body to where a handler takes over. */
export function readRequest(deps: Deps, spec: RouteSpec, caller: Caller, arrived: Arrived): ReadRequest {
  const { request, response, ip, gone } = arrived;
  const parsed = arrived.body && (parseBody(request, arrived.body) ?? (spec.bodyOptional ? empty : undefined));
  const [params, query, body] = validateBody(spec, arrived, parsed);
  const sent = parsed?.exact;
  return {
    sent,
    context: {
      deps,
      caller,
      params,
      query,
      body,
      requestId: response.locals.requestId as string,
      ip,
      userAgent: request.headers['user-agent'],
      newId: idFrom(randomUUID()),
      operation: undefined,
      setHeader: (name, value) => void response.setHeader(name, value),
      gone,
      ended: () => endedSignal(request, response),
    },
  };
}

/** A field for a number is checked with the nearest double; then what takes any JSON is checked with the numbers as they were sent. */
function validateBody(spec: RouteSpec, arrived: Arrived, { value, exact }: Partial<ParsedBody> = {}): unknown[] {
  const rounded = validateParts(spec, arrived, value);
  return exact === value ? rounded : validateParts(spec, arrived, exact);
}

function validateParts(spec: RouteSpec, { request, response }: Arrived, sent: unknown): unknown[] {
  const { params = nothing, query = nothing, body = z.unknown() } = spec;
  const unfit = [
    ...unreadableParameters(request, response),
    ...(spec.query ? inspectJson(request.query, 'query') : []),
  ];
  if (unfit.length > 0) throw new InvalidRequest(unfit);
  return validateAll([
    { source: 'path', schema: params, value: request.params },
    { source: 'query', schema: query, value: readQuery(query, request.query) },
    { source: 'body', schema: body, value: sent },
  ]);
}
