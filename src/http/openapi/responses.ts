import type { z } from 'zod';
import { type RefusalCode, refusals } from '../../errors.ts';
import { type CsvForm, csvLines } from '../csv/csv-form.ts';
import { isIdempotent } from '../idempotency/idempotency-key.ts';
import type { EventForm, RouteSpec } from '../route.ts';
import type { ReportedError } from '../surface.ts';
import { surfaceOf } from '../surfaces.ts';
import type { Components, JsonSchema } from './components.ts';
import { withExample } from './compose-example.ts';
import { detailOf, isLimited, refusalsOf } from './route-refusals.ts';

const headerReference = (name: string) => ({ $ref: `#/components/headers/${name}` });

const reported = (code: RefusalCode): ReportedError => ({
  code,
  status: refusals[code].status,
  detail: detailOf(code),
  ...(refusals[code].status === 429 && { retryAfterMs: 1_000 }),
});

/** The status with which a route answers a refusal. */
const refusalStatus = (spec: RouteSpec, code: RefusalCode): number => surfaceOf(spec).errorStatus(reported(code));

/** The status with which a route answers input that is not valid. */
const invalidStatus = (spec: RouteSpec): number => {
  const { errorStatus, docs } = surfaceOf(spec);
  return errorStatus({ status: 422, code: 'request_invalid', detail: docs.invalidExample });
};

/** Whether an answer with this status may be sent after the request took of its limit: then it has the headers of the limit. */
function hasLimitHeaders(spec: RouteSpec, status: number): boolean {
  if (status === 429) return true;
  if (!isLimited(spec)) return false;
  if (status === 422) return spec.limits?.rate === 'management';
  return [200, 500, 503].includes(status) || Boolean(spec.errors?.some((code) => refusalStatus(spec, code) === status));
}

const callHeaders = ['X-Job-Id', 'X-Call-Id', 'X-Job-Deadline', 'X-Job-Remaining'];

function headersOfSuccess({
  secret,
  streams,
  access: { audience },
  body,
  query,
  responseHeaders = [],
}: RouteSpec): string[] {
  return [
    ...(secret || streams || audience.length > 0 ? ['Cache-Control'] : []),
    ...(audience.length > 0 ? ['Vary'] : []),
    ...(streams ? ['X-Accel-Buffering'] : []),
    ...(body || query ? ['X-Ignored-Fields'] : []),
    ...responseHeaders,
  ];
}

/** Names of `components.headers` that an answer with this status carries. */
function describeHeaders(
  spec: RouteSpec,
  status: number,
  codes: readonly RefusalCode[] = [],
): Record<string, JsonSchema> {
  const { errorHeaders, isStored } = surfaceOf(spec);
  const isRepeated =
    codes.some((code) => isStored({ status, code })) || ([200, 202].includes(status) && isStored({ status }));
  const names = ['X-Request-Id', ...new Set(codes.flatMap((code) => Object.keys(errorHeaders(reported(code)))))];
  if (status === 202) names.push('Location', 'Preference-Applied');
  if ([202, 409, 429, 503, 529].includes(status)) names.push('Retry-After');
  if (hasLimitHeaders(spec, status)) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (isIdempotent(spec) && isRepeated) names.push('Idempotent-Replayed');
  if (spec.makesCall && [200, 202, 409, 500, 503, 529].includes(status)) names.push(...callHeaders);
  if (status === 200) names.push(...headersOfSuccess(spec));
  return Object.fromEntries(names.map((name) => [name, headerReference(name)]));
}

function success(spec: RouteSpec, components: Components): JsonSchema {
  const { schema, example } = withExample(spec.response, 'output', components);
  const whole = { [spec.produces ?? 'application/json']: { schema, ...(spec.produces ? {} : { example }) } };
  const { streams } = spec;
  const content = {
    ...(streams && !streams.isOptional ? {} : whole),
    ...(streams && eventStream(streams, components)),
    ...(spec.csv && csvFile(spec.csv)),
  };
  return { description: 'Success', headers: describeHeaders(spec, 200), content };
}

const accepted = (schema: z.ZodType, spec: RouteSpec, components: Components): JsonSchema => ({
  description: 'Accepted, with `Prefer: respond-async`: what was asked for goes on',
  headers: describeHeaders(spec, 202),
  content: { 'application/json': { schema: components.describe(schema, 'output') } },
});

const textOfEvents = (example: EventForm['example']): string =>
  typeof example === 'string' ? example : [...example, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

const descriptionOfEvents = (example: EventForm['example']): string =>
  typeof example === 'string'
    ? 'Each event has a name; its data is JSON'
    : 'Each event holds a chunk or an error; the data of the last one is `[DONE]`';
/** The answer with `format=csv`. The example is the header line. */
const csvFile = (form: CsvForm): JsonSchema => ({
  'text/csv': { schema: { type: 'string' }, example: csvLines(form, 'UTC').header },
});

/** OpenAPI 3.0 leaves open whether a schema is that of the stream, as clients without support for it read it, or of one event of it. */
function eventStream({ event, example }: EventForm, components: Components): JsonSchema {
  const described = components.describe(event, 'output');
  const events = (described.anyOf ?? [described]) as JsonSchema[];
  const schema = { description: descriptionOfEvents(example), anyOf: [{ type: 'string' }, ...events] };
  return { 'text/event-stream': { schema, example: textOfEvents(example) } };
}

const descriptions: Record<number, string> = {
  400: 'Bad request',
  401: 'No valid credential',
  403: 'Not allowed',
  404: 'Not found',
  402: 'A cap is reached',
  409: 'In conflict with the current state',
  410: 'No longer stored',
  413: 'Request body too large',
  421: 'Addressed to a host that is not served here',
  415: 'Unsupported charset or encoding',
  429: 'Rate limit exceeded',
  529: 'Temporarily unavailable, or rate limited by the upstream',
  500: 'Failed',
  502: 'Failed upstream',
  503: 'Temporarily unavailable',
  504: 'No answer from upstream in time',
};

/** Longer lists of refusals rarely occur in two routes. */
const maxSharedCodes = 4;

function refusal(spec: RouteSpec, status: number, codes: RefusalCode[], components: Components): JsonSchema {
  const { errorBody, docs } = surfaceOf(spec);
  const examples = Object.fromEntries(codes.map((code) => [code, { value: errorBody(reported(code)) }]));
  const invalidExample = { value: errorBody({ status: 422, code: 'request_invalid', detail: docs.invalidExample }) };
  const isAlsoInvalid = isValidated(spec) && status === invalidStatus(spec);
  const response = {
    description: descriptions[status] ?? 'Error',
    headers: describeHeaders(spec, status, codes),
    content: {
      'application/json': {
        schema: components.describe(docs.errorSchemas.refused, 'output'),
        examples: { ...examples, ...(isAlsoInvalid && { invalid: invalidExample }) },
      },
    },
  };
  const name = [...codes, ...(hasLimitHeaders(spec, status) ? ['limited'] : [])].join('.');
  return codes.length > maxSharedCodes ? response : components.share(name, response);
}

function invalid(spec: RouteSpec, components: Components): JsonSchema {
  const { errorBody, docs } = surfaceOf(spec);
  const schema = components.describe(docs.errorSchemas.invalid, 'output');
  const example = errorBody({ status: 422, code: 'request_invalid', detail: docs.invalidExample });
  return components.share(hasLimitHeaders(spec, 422) ? 'invalid.limited' : 'invalid', {
    description: 'Validation error',
    headers: describeHeaders(spec, 422),
    content: { 'application/json': { schema, example } },
  });
}

const isValidated = (spec: RouteSpec) => Boolean(spec.body || spec.params || spec.query) || isIdempotent(spec);

/** Every status that the route may answer with, from its spec and its kind. */
export function describeResponses(spec: RouteSpec, components: Components): JsonSchema {
  const byStatus = Map.groupBy(refusalsOf(spec), (code) => refusalStatus(spec, code));
  const hasOwnStatus = isValidated(spec) && !byStatus.has(invalidStatus(spec));
  const all: [number, JsonSchema][] = [
    [200, success(spec, components)],
    ...(spec.accepted ? [[202, accepted(spec.accepted, spec, components)] satisfies [number, JsonSchema]] : []),
    ...(spec.empty ? [[204, { description: spec.empty }] satisfies [number, JsonSchema]] : []),
    ...[...byStatus].map(([status, codes]): [number, JsonSchema] => [status, refusal(spec, status, codes, components)]),
    ...(hasOwnStatus ? [[invalidStatus(spec), invalid(spec, components)] satisfies [number, JsonSchema]] : []),
  ];
  return Object.fromEntries(all.sort(([a], [b]) => a - b).map(([status, response]) => [String(status), response]));
}
