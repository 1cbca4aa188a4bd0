import type { z } from 'zod';
import { IdempotencyKey, isIdempotent } from '../idempotency/idempotency-key.ts';
import type { Audience, RouteSpec } from '../route.ts';
import { alone, type Components, type JsonSchema } from './components.ts';
import { withExample } from './compose-example.ts';
import { describeResponses } from './responses.ts';

/** Names of `components.securitySchemes`; any one of them suffices. */
const schemesOf: Record<Audience, string[]> = {
  team: ['virtualKey'],
  admin: ['platformKey', 'platformKeyHeader', 'adminToken'],
  admin_user: ['adminToken'],
  user: ['adminToken'],
};

type Place = 'path' | 'query' | 'header';

/** A parameter that is given once or several times is a list: a generated client has one type for it. */
function asParameter({ anyOf, ...own }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return alone(own);
  const list = (anyOf as JsonSchema[]).find(({ type }) => type === 'array');
  return { ...own, ...(list ?? { type: 'string' }) };
}

/** How a list or an object is written in a query. */
function styleOf({ type }: JsonSchema, explode: unknown): JsonSchema {
  if (type === 'object') return { style: 'deepObject', explode: true };
  return type === 'array' ? { style: 'form', explode: explode ?? true } : {};
}

function describeParameters(schema: z.ZodObject | undefined, source: Place, components: Components): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.describe(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  // Null cannot be written in a path, a query or a header.
  return Object.entries(properties).map(([name, { description, nullable, explode, ...own }]) => ({
    name: source === 'header' ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name,
    in: source,
    required: source === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    ...styleOf(asParameter(own), explode),
    schema: asParameter(own),
  }));
}

function idempotencyKey(components: Components): JsonSchema {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For 24 hours a repetition with the same key and body gets the same answer and has no further effect. ' +
      'Without a key, what got no answer, or a 503, may have been executed: a repetition may be a second execution',
    schema: components.describe(IdempotencyKey, 'input'),
  };
}

function requestBody({ body }: RouteSpec, components: Components): JsonSchema {
  if (!body) return {};
  const content = { 'application/json': withExample(body.schema, 'input', components) };
  return { requestBody: { required: !body.isOptional, content } };
}

/**
 * Whether a session by cookie may use the route: that of an admin where an admin may, that of a team where its key may, but for calls and
 * other writes. `spec 19.4`
 */
const takesCookie = ({ access: { audience, openToTeamSessions }, method }: RouteSpec): boolean =>
  audience.some((one) => one !== 'team') ||
  (audience.includes('team') && (method === 'get' || Boolean(openToTeamSessions)));

/** `{}`: without any. */
const describeSecurity = (spec: RouteSpec): JsonSchema[] => [
  ...(spec.access.protectedBy ? [{}, { platformKeyHeader: [] }] : []),
  ...[...new Set(spec.access.audience.flatMap((one) => schemesOf[one]))].map((scheme) => ({ [scheme]: [] })),
  ...(takesCookie(spec) ? [{ sessionCookie: [] }] : []),
];

/** One operation of the document, made from the spec of its route alone. */
export function describeOperation(spec: RouteSpec, components: Components): JsonSchema {
  return {
    operationId: spec.operationId,
    summary: spec.summary,
    description: spec.description ?? `${spec.summary}.`,
    tags: [spec.tag],
    security: describeSecurity(spec),
    parameters: [
      ...describeParameters(spec.params, 'path', components),
      ...describeParameters(spec.query, 'query', components),
      ...describeParameters(spec.headers, 'header', components),
      ...(isIdempotent(spec) ? [idempotencyKey(components)] : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...requestBody(spec, components),
    responses: describeResponses(spec, components),
  };
}
