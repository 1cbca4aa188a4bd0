import type { z } from 'zod';
import { IdempotencyKey, isIdempotent } from '../idempotency/idempotency-key.ts';
import type { Audience, RouteSpec } from '../route.ts';
import { surfaceOf } from '../surfaces.ts';
import type { Components, JsonSchema } from './components.ts';
import { withExample } from './compose-example.ts';
import { describeResponses } from './responses.ts';

/** Names of `components.securitySchemes`; any one of them suffices. */
const schemesOf: Record<Audience, string[]> = {
  team: ['virtualKey'],
  admin: ['platformKey', 'platformKeyHeader', 'adminToken'],
  admin_user: ['adminToken'],
  user: ['adminToken'],
};

function describeParameters(
  schema: z.ZodObject | undefined,
  source: 'path' | 'query',
  components: Components,
): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.describe(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, nullable, ...own }]) => ({
    name,
    in: source,
    required: source === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    // Null cannot be written in a path or a query.
    schema: nullable && Array.isArray(own.enum) ? { ...own, enum: own.enum.filter((one) => one !== null) } : own,
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

/** `post /api/jobs/{job_id}/llm-call` → `post_jobs_job_id_llm_call` */
const operationId = (spec: RouteSpec): string =>
  [spec.method, ...spec.path.replace(surfaceOf(spec).prefix, '').split(/[^a-z0-9]+/i)].filter(Boolean).join('_');

/** `{}`: without any. */
const describeSecurity = ({ access: { audience, protectedBy } }: RouteSpec): JsonSchema[] => [
  ...(protectedBy ? [{}, { platformKeyHeader: [] }] : []),
  ...[...new Set(audience.flatMap((one) => schemesOf[one]))].map((scheme) => ({ [scheme]: [] })),
  ...(audience.length > 0 ? [{ sessionCookie: [] }] : []),
];

/** One operation of the document, made from the spec of its route alone. */
export function describeOperation(spec: RouteSpec, components: Components): JsonSchema {
  return {
    operationId: operationId(spec),
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    tags: [spec.tag],
    security: describeSecurity(spec),
    parameters: [
      ...describeParameters(spec.params, 'path', components),
      ...describeParameters(spec.query, 'query', components),
      ...(isIdempotent(spec) ? [idempotencyKey(components)] : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...requestBody(spec, components),
    responses: describeResponses(spec, components),
  };
}
