import { type RefusalCode, refusals } from '../../errors.ts';
import { isIdempotent, storedStatuses } from '../idempotency/idempotency-key.ts';
import type { RouteSpec } from '../route.ts';
import { finalChunk, firstChunk, type Naming, nextChunk } from '../stream/chunks.ts';
import { surfaceOf } from '../surfaces/index.ts';
import type { Components, JsonSchema } from './components.ts';
import { exampleWith } from './example-of.ts';
import { detailOf, isLimited, refusalsOf } from './refusals-of.ts';

const headerReference = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Whether an answer with this status may be sent after the limit was drawn on: then it has the headers of the limit. */
function hasLimitHeaders(spec: RouteSpec, status: number): boolean {
  if (status === 429) return true;
  if (!isLimited(spec)) return false;
  if (status === 422) return spec.limit === 'management';
  return [200, 500, 503].includes(status) || Boolean(spec.errors?.some((code) => refusals[code].status === status));
}

/** Names of `components.headers` that an answer with this status carries. */
function headersOf(spec: RouteSpec, status: number): Record<string, JsonSchema> {
  const names = ['X-Request-Id', ...(status === 200 ? [] : Object.keys(surfaceOf(spec).errorHeaders(status)))];
  if ([409, 429, 503].includes(status)) names.push('Retry-After');
  if (hasLimitHeaders(spec, status)) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (isIdempotent(spec) && storedStatuses.has(status)) names.push('Idempotent-Replayed');
  if (spec.makesCall && [200, 409, 500, 503].includes(status)) names.push('X-Job-Id', 'X-Call-Id');
  if (status === 200 && (spec.secret || spec.streams || spec.auth.length > 0)) names.push('Cache-Control');
  if (status === 200 && spec.auth.length > 0) names.push('Vary');
  if (status === 200 && spec.streams) names.push('X-Accel-Buffering');
  return Object.fromEntries(names.map((name) => [name, headerReference(name)]));
}

const naming: Naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'chat-large', created: 1_769_851_800 };
const usage = { promptTokens: 60, completionTokens: 28, totalTokens: 88 };

/** A whole stream, made by the functions that make the real ones. */
const streamExample = [
  firstChunk(naming, { content: 'In January revenue rose by 12 percent to 4.2 million USD' }),
  nextChunk(naming, { content: ' at unchanged costs, and 42 customers were gained.' }),
  finalChunk(naming, { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 0 }),
  '[DONE]',
]
  .map((event) => `data: ${event}\n\n`)
  .join('');

function success(spec: RouteSpec, components: Components): JsonSchema {
  const schema = components.describe(spec.response, 'output');
  const example = exampleWith(spec.example?.response, schema, { lookup: components.lookup, everyField: true });
  const content = spec.streams
    ? {
        'text/event-stream': {
          // No type: OpenAPI 3.0 leaves open whether this is the stream or one event of it.
          schema: { description: 'Each event holds a chunk or an error; the data of the last one is `[DONE]`' },
          'x-event-data': schema,
          example: streamExample,
        },
      }
    : { [spec.produces ?? 'application/json']: { schema, ...(spec.produces ? {} : { example }) } };
  return { description: 'Success', headers: headersOf(spec, 200), content };
}

const descriptions: Record<number, string> = {
  400: 'Bad request',
  401: 'No valid credential',
  403: 'Not allowed',
  404: 'Not found',
  409: 'In conflict with the current state',
  413: 'Request body too large',
  421: 'Addressed to a host that is not served here',
  415: 'Unsupported charset or encoding',
  429: 'Rate limit exceeded',
  500: 'Failed',
  503: 'Temporarily unavailable',
};

/** Longer lists of refusals rarely occur in two routes. */
const mostShared = 2;

function refusal(spec: RouteSpec, status: number, codes: RefusalCode[], components: Components): JsonSchema {
  const { errorBody, docs } = surfaceOf(spec);
  const exampleOf = (code: RefusalCode) => errorBody({ status, code, detail: detailOf(code) });
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  const response = {
    description: descriptions[status] ?? 'Error',
    headers: headersOf(spec, status),
    content: { 'application/json': { schema: components.describe(docs.errorSchemas.refused, 'output'), examples } },
  };
  const name = [...codes, ...(hasLimitHeaders(spec, status) ? ['limited'] : [])].join('.');
  return codes.length > mostShared ? response : components.share(name, response);
}

function invalid(spec: RouteSpec, components: Components): JsonSchema {
  const { errorBody, docs } = surfaceOf(spec);
  const schema = components.describe(docs.errorSchemas.invalid, 'output');
  const example = errorBody({ status: 422, detail: docs.invalidExample });
  return components.share(hasLimitHeaders(spec, 422) ? 'invalid.limited' : 'invalid', {
    description: 'Validation error',
    headers: headersOf(spec, 422),
    content: { 'application/json': { schema, example } },
  });
}

const isValidated = (spec: RouteSpec) => Boolean(spec.body || spec.params || spec.query) || isIdempotent(spec);

/** Every status that the route may answer with, from its spec and its kind. */
export function responsesOf(spec: RouteSpec, components: Components): JsonSchema {
  const byStatus = Map.groupBy(refusalsOf(spec), (code) => refusals[code].status);
  const all: [number, JsonSchema][] = [
    [200, success(spec, components)],
    ...[...byStatus].map(([status, codes]): [number, JsonSchema] => [status, refusal(spec, status, codes, components)]),
    ...(isValidated(spec) ? [[422, invalid(spec, components)] satisfies [number, JsonSchema]] : []),
  ];
  return Object.fromEntries(all.sort(([a], [b]) => a - b).map(([status, response]) => [String(status), response]));
}
