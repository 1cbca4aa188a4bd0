import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import { type Invalid, InvalidRequest } from '../../errors.ts';
import type { Caller } from '../auth/caller.ts';
import { sessionCookieOf } from '../auth/session-cookie.ts';
import { inspectJson, type ParsedBody, parseBody } from '../body/parse-body.ts';
import { endedSignal } from '../client-left.ts';
import { idFrom } from '../idempotency/idempotency-key.ts';
import type { Deps } from '../ports.ts';
import type { RequestContext, RouteSpec } from '../route.ts';
import { readQuery, validateAll } from './validate.ts';

function isReadable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/**
 * Express decodes the parts of a path while it looks for a route, before method and credential are checked. A part that is not
 * valid percent-encoding is encoded once more, so that it is refused after these checks.
 */
export function encodeUnreadableParts(request: Request, response: Response, next: NextFunction): void {
  const unreadable: string[] = [];
  const encode = (part: string) => {
    if (isReadable(part)) return part;
    unreadable.push(part);
    return encodeURIComponent(part);
  };
  const parts = (path: string) => path.split('/').map(encode).join('/');
  if (request.url.includes('%')) request.url = request.url.replace(/^[^?]*/, parts);
  response.locals.unreadable = unreadable;
  next();
}

/** One item of a 422 for each such parameter of the path. */
const unreadableParameters = (request: Request, response: Response): Invalid[] =>
  Object.entries(request.params)
    .filter(([, value]) => [value].flat().some((part) => (response.locals.unreadable as string[]).includes(part!)))
    .map(([name]) => ({ loc: ['path', name], msg: 'Input should be valid percent-encoding', type: 'value_error' }));

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

/** A request that has arrived completely. */
export interface Arrived {
  request: Request;
  response: Response;
  /** Unpacked. Undefined for a route that reads no body. */
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

/** Reads the request of a caller, in the order of checks of `spec 1.2`, and makes the context of its handler. */
export function readRequest(deps: Deps, spec: RouteSpec, caller: Caller, arrived: Arrived): ReadRequest {
  const { request, response, ip, gone } = arrived;
  const parsed =
    arrived.body && (parseBody(request, arrived.body, spec.bodyForm) ?? (spec.bodyOptional ? empty : undefined));
  const [params, query, body, headers] = validateBody(spec, arrived, parsed);
  const sent = parsed?.exact;
  return {
    sent,
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
      gone,
      ended: () => endedSignal(request, response),
      sessionCookie: () => sessionCookieOf(request),
    },
  };
}

/** A field for a number is checked with the nearest double; then the fields for any JSON are checked with the numbers as they were sent. */
function validateBody(spec: RouteSpec, arrived: Arrived, { value, exact }: Partial<ParsedBody> = {}): unknown[] {
  const rounded = validateParts(spec, arrived, value);
  return exact === value ? rounded : validateParts(spec, arrived, exact);
}

function validateParts(spec: RouteSpec, { request, response }: Arrived, sent: unknown): unknown[] {
  const { params = nothing, query = nothing, body = z.unknown(), headers = nothing } = spec;
  const unfit = [
    ...unreadableParameters(request, response),
    ...(spec.query ? inspectJson(request.query, 'query') : []),
  ];
  if (unfit.length > 0) throw new InvalidRequest(unfit);
  return validateAll([
    { source: 'path', schema: params, value: paramsOf(request) },
    { source: 'query', schema: query, value: readQuery(query, request.query) },
    { source: 'body', schema: body, value: sent },
    { source: 'header', schema: headers, value: spec.headers ? textsOf(request) : {} },
  ]);
}
