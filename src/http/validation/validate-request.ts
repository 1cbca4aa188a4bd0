import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { InvalidRequest } from '../../errors.ts';
import type { Caller } from '../auth/caller.ts';
import { sessionCookieOf } from '../auth/session-cookie.ts';
import { inspectJson, type ParsedBody, parseBody } from '../body/parse-body.ts';
import { halfCloseSignal } from '../client-disconnect.ts';
import { idFrom } from '../idempotency/idempotency-key.ts';
import type { Deps } from '../ports.ts';
import type { IncomingRequest, RequestContext, RouteSpec } from '../route.ts';
import { unreadableParameters } from './unreadable-path-parts.ts';
import { readQuery, validateAll } from './validate.ts';

/** A parameter that may contain slashes arrives in parts. */
const paramsOf = ({ params }: Request): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));

/** The headers as UTF-8, where they are that: Node.js reads them as Latin-1. */
const textsOf = ({ headers }: Request): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? textOf(value) : value]),
  );

function textOf(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString();
  return text.includes('\ufffd') ? latin1 : text;
}

export interface ValidatedRequest {
  context: RequestContext;
  /** The body before validation, with its numbers as they were sent. */
  exactBody: unknown;
}

const nothing = z.object({});
const empty: ParsedBody = { value: {}, exact: {} };

/**
 * Validates the request of a caller, in the order of checks of `spec 1.2`, and makes the context of its handler. `bytes`: the body,
 * unpacked; undefined for a route that reads none.
 */
export function validateRequest(
  deps: Deps,
  spec: RouteSpec,
  caller: Caller,
  incoming: IncomingRequest,
  bytes: Buffer | undefined,
): ValidatedRequest {
  const { request, response, ip, disconnected } = incoming;
  const parsed = bytes && (parseBody(request, bytes, spec.bodyForm) ?? (spec.bodyOptional ? empty : undefined));
  const [params, query, body, headers] = validateRoundedAndExact(spec, incoming, parsed);
  return {
    exactBody: parsed?.exact,
    context: {
      deps,
      caller,
      params,
      query,
      body,
      headers,
      sentHeaders: request.headers,
      requestId: response.locals.requestId as string,
      ip,
      userAgent: request.headers['user-agent'],
      newId: idFrom(randomUUID()),
      operation: undefined,
      setHeader: (name, value) => void response.setHeader(name, value),
      disconnected,
      halfClosed: () => halfCloseSignal(request, response),
      sessionCookie: () => sessionCookieOf(request),
    },
  };
}

/** A field for a number is checked with the nearest double; then the fields for any JSON are checked with the numbers as they were sent. */
function validateRoundedAndExact(
  spec: RouteSpec,
  incoming: IncomingRequest,
  { value, exact }: Partial<ParsedBody> = {},
): unknown[] {
  const rounded = validateParts(spec, incoming, value);
  return exact === value ? rounded : validateParts(spec, incoming, exact);
}

function validateParts(spec: RouteSpec, { request, response }: IncomingRequest, json: unknown): unknown[] {
  const { params = nothing, query = nothing, body = z.unknown(), headers = nothing } = spec;
  const unfit = [
    ...unreadableParameters(request, response),
    ...(spec.query ? inspectJson(request.query, 'query') : []),
  ];
  if (unfit.length > 0) throw new InvalidRequest(unfit);
  return validateAll([
    { source: 'path', schema: params, value: paramsOf(request) },
    { source: 'query', schema: query, value: readQuery(query, request.query) },
    { source: 'body', schema: body, value: json },
    { source: 'header', schema: headers, value: spec.headers ? textsOf(request) : {} },
  ]);
}
