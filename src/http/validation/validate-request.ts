import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { InvalidRequest } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
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

export interface RequestToValidate {
  deps: Deps;
  spec: RouteSpec;
  caller: Caller;
  /** The body, unpacked; undefined for a route that reads none. */
  bytes: Buffer | undefined;
  /** Nothing needs the body any more. */
  release(): void;
}

/** Validates the request of a caller, in the order of checks of `spec 1.2`, and makes the context of its handler. */
export function validateRequest(
  { deps, spec, caller, bytes, release }: RequestToValidate,
  incoming: IncomingRequest,
): ValidatedRequest {
  const { request, response, ip, disconnected } = incoming;
  const parsed = bytes && (parseBody(request, bytes, spec.body?.form) ?? (spec.body?.isOptional ? empty : undefined));
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
      dropBody() {
        for (const content of [parsed?.value, parsed?.exact, body]) dropMembers(content);
        release();
      },
    },
  };
}

/** Longer members of a body are not needed once they are stored. */
const maxKeptCharacters = 1_024;

/**
 * Deletes the large members of a body in place. Functions that wait for the answer still refer to the body, so that without this it
 * would be held until then.
 */
function dropMembers(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const members = body as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) {
    const isKept = typeof value === 'string' ? value.length <= maxKeptCharacters : typeof value !== 'object';
    if (!isKept) delete members[name];
  }
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
  const { params = nothing, query = nothing, body = { schema: z.unknown() }, headers = nothing } = spec;
  const unfit = [
    ...unreadableParameters(request, response),
    ...(spec.query ? inspectJson(request.query, 'query') : []),
  ];
  if (unfit.length > 0) throw new InvalidRequest(unfit);
  return validateAll([
    { source: 'path', schema: params, value: paramsOf(request) },
    { source: 'query', schema: query, value: readQuery(query, request.query) },
    { source: 'body', schema: body.schema, value: json },
    { source: 'header', schema: headers, value: spec.headers ? textsOf(request) : {} },
  ]);
}
