/** A team's `job_key_from` has at most this many sources. */
export const maxTaskIdSources = 8;

const headerPrefix = 'header:';
const metadataPrefix = 'body:metadata.';
const bodyFields: readonly string[] = ['body:user', 'body:session_id', 'body:prompt_cache_key'];

const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const metadataKey = /^[^\u0000-\u001f\u007f-\u009f]{1,100}$/;

/** Their values are secrets; a task id is stored and shown. */
const secretHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'api-key',
  'x-api-key',
  'x-admin-key',
];

/** Whether this names a part of a request: `header:<name>`, `body:user` and its like, or `body:metadata.<key>`. `spec 18.3` */
export function isTaskIdSource(source: string): boolean {
  if (source.startsWith(headerPrefix)) {
    const name = source.slice(headerPrefix.length);
    return headerName.test(name) && !secretHeaders.includes(name.toLowerCase());
  }
  if (source.startsWith(metadataPrefix)) return metadataKey.test(source.slice(metadataPrefix.length));
  return bodyFields.includes(source);
}

/** The same for every spelling of a header's name. */
export const normalizeTaskIdSource = (source: string): string =>
  source.startsWith(headerPrefix) ? source.toLowerCase() : source;

/** The headers among the sources, in lower case. */
export const headersOfTask = (sources: readonly string[]): string[] =>
  sources.filter((source) => source.startsWith(headerPrefix)).map((source) => source.slice(headerPrefix.length));

/** Whether the value has 1 to 255 visible ASCII characters. */
export const isTaskId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);

/** What a task id may be read from. Names of headers are in lower case. */
export interface TaskIdRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readonly<Record<string, unknown>>;
}

/** `invalid`: the first source that is given has a value that is no task id. */
export type DerivedTaskId = { taskId: string } | { invalid: string };

/**
 * The task id of a request, from the first of its team's sources that is given; undefined when none is. Null and an empty text
 * count as not given: clients send them for a session that they do not have. An invalid value is not passed over, because the
 * call would join another job, or none. `spec 18.3`
 */
export function deriveTaskId(sources: readonly string[], request: TaskIdRequest): DerivedTaskId | undefined {
  for (const source of sources) {
    const value = givenBy(source, request);
    if (value === undefined || value === null || value === '') continue;
    return isTaskId(value) ? { taskId: value } : { invalid: source };
  }
  return undefined;
}

function givenBy(source: string, { headers, body }: TaskIdRequest): unknown {
  if (source.startsWith(headerPrefix)) return own(headers, source.slice(headerPrefix.length).toLowerCase());
  if (source.startsWith(metadataPrefix)) return own(body.metadata, source.slice(metadataPrefix.length));
  return own(body, source.slice('body:'.length));
}

const own = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined;
