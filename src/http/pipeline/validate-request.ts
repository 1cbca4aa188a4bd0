import { setImmediate } from 'node:timers/promises';
import type { Request } from 'express';
import { z } from 'zod';
import { nothingSent, readSent } from '../../domain/formats/sent-json.ts';
import { InvalidRequest } from '../../errors.ts';
import { idFrom } from '../../services/derive-id.ts';
import { newSessionCookie, newSignInCookie, sentTo } from '../auth/session-cookie.ts';
import { inspectJson, type ParsedBody, parseBody } from '../body/parse-body.ts';
import { bodyLimitFor, isLarge, unpackBody } from '../body/receive-body.ts';
import { halfCloseSignal } from '../client-disconnect.ts';
import type { RequestContext } from '../route.ts';
import { spanOf } from '../trace-request.ts';
import { ignoredFields, ignoredParameters, joinNames } from '../validation/ignored-fields.ts';
import { unreadableParameters } from '../validation/unreadable-path-parts.ts';
import { readQuery, validateAll } from '../validation/validate.ts';
import type { Exchange } from './exchange.ts';

const longBodyBytes = 1_048_576;
const nothing = z.object({});
const empty: ParsedBody = { value: {}, exact: {}, text: '' };

/**
 * Path, query, headers and body as the schemas of the route have them: 422. Makes the context of the handler. A body that is not small
 * is unpacked, parsed and checked in its holder's turn on the thread.
 */
export function validateRequest(exchange: Exchange): void | Promise<void> {
  const { body, request } = exchange;
  return body && isLarge(request, body.bytes) ? validateInTurn(exchange) : validate(exchange);
}

async function validateInTurn(exchange: Exchange): Promise<void> {
  const { deps, holder, disconnected, body } = exchange;
  exchange.leaveThread = await deps.measures.thread.acquire(holder, { signal: disconnected });
  exchange.onEnd(() => exchange.leaveThread());
  validate(exchange);
  // What is made of a long body takes as long again: other requests come in between.
  if (body!.bytes.length > longBodyBytes) await setImmediate();
}

function validate(exchange: Exchange): void {
  const { spec, body } = exchange;
  const parsed = body && (parse(exchange, body.bytes) ?? (spec.body?.isOptional ? empty : undefined));
  const [params, query, validBody, headers] = validateRoundedAndExact(exchange, parsed);
  exchange.exactBody = parsed?.exact;
  const dropBody = () => {
    for (const content of [parsed?.value, parsed?.exact, validBody]) dropMembers(content);
    if (parsed) parsed.text = '';
    body?.release();
  };
  const ignored = [
    ...(spec.body ? ignoredFields(spec.body.schema, parsed?.value) : []),
    ...(spec.query ? ignoredParameters(spec.query, exchange.request.query) : []),
  ];
  if (ignored.length > 0) exchange.response.setHeader('X-Ignored-Fields', joinNames(ignored));
  const context = { ...newContext(exchange), ignoredFields: ignored };
  const sentMembers = () => (parsed?.text ? readSent(parsed.text, parsed.value) : nothingSent);
  exchange.context = { ...context, params, query, body: validBody, headers, sentMembers, dropBody };
}

function parse({ deps, request, spec, caller }: Exchange, bytes: Buffer): ParsedBody | undefined {
  return parseBody(request, unpackBody(request, bodyLimitFor(deps, spec), caller, bytes), spec.body?.form);
}

const newContext = ({ deps, request, response, caller, holder, ip, disconnected }: Exchange) =>
  ({
    deps,
    caller,
    holder,
    sentHeaders: request.headers,
    requestId: response.locals.requestId as string,
    traceContext: spanOf(response)?.context,
    ip,
    userAgent: request.headers['user-agent'],
    ownId: response.locals.ownId as string,
    newId: idFrom(response.locals.ownId as string),
    operation: undefined,
    setHeader: (name, value) => void response.setHeader(name, value),
    addCookie: (value) => void response.append('Set-Cookie', value),
    disconnected,
    halfClosed: () => halfCloseSignal(request, response),
    sessionCookie: () => newSessionCookie(deps, request),
    signInCookie: () => newSignInCookie(deps, request),
    sentTo: () => sentTo(deps.config, request),
  }) satisfies Partial<RequestContext>;

/** A parameter that may contain slashes arrives in parts. */
const paramsOf = ({ params }: Request): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));

/** The headers as UTF-8, where they are that: Node.js reads them as Latin-1. */
const decodeHeaders = ({ headers }: Request): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? decodeText(value) : value]),
  );

function decodeText(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString();
  return text.includes('\ufffd') ? latin1 : text;
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
function validateRoundedAndExact(exchange: Exchange, { value, exact }: Partial<ParsedBody> = {}): unknown[] {
  const rounded = validateParts(exchange, value);
  return exact === value ? rounded : validateParts(exchange, exact);
}

function validateParts({ spec, request, response }: Exchange, json: unknown): unknown[] {
  const { params = nothing, query = nothing, body, headers = nothing } = spec;
  const unfit = [
    ...unreadableParameters(request, response),
    ...(spec.query ? inspectJson(request.query, 'query') : []),
  ];
  if (unfit.length > 0) throw new InvalidRequest(unfit);
  return validateAll([
    { source: 'path', schema: params, value: paramsOf(request) },
    { source: 'query', schema: query, value: readQuery(query, request.query) },
    { source: 'body', schema: body?.schema ?? z.unknown(), value: json, isNullAbsent: body?.form?.isForwarded },
    { source: 'header', schema: headers, value: spec.headers ? decodeHeaders(request) : {} },
  ]);
}
