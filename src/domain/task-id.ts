import { keyOfJson, ownKey } from './formats/json-key.ts';

/** A team's `job_key_from` has at most this many sources. */
export const maxTaskIdSources = 8;

const headerPrefix = 'header:';
const bodyPrefix = 'body:';
const bodyFields: readonly string[] = ['user', 'session_id', 'prompt_cache_key'];
/** Objects of the body whose keys name a task. A text among them may be JSON. */
const objects: readonly string[] = ['metadata', 'client_metadata'];
/** Clients send JSON in it. */
const jsonText = 'metadata.user_id/';

const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const keyPattern = /^[^\u0000-\u001f\u007f-\u009f]{1,100}$/;

/** Their values are secrets; a task id is stored and shown. */
const secretHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'api-key',
  'x-api-key',
  'x-admin-key',
];

/** A part of a request that names a task. `key`: the text there is JSON, and this key of its object names the task. */
export interface TaskIdSource {
  part: 'header' | 'body';
  /** The name of the header in lower case, or the path in the body. */
  path: readonly string[];
  key?: string;
}

/** The two sides of the first of these characters; the second is undefined without one. */
function splitAt(character: string, text: string): [string, string | undefined] {
  const index = text.indexOf(character);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

const withKey = (source: TaskIdSource, key: string | undefined): TaskIdSource | undefined => {
  if (key === undefined) return source;
  return keyPattern.test(key) ? { ...source, key } : undefined;
};

/** Undefined: the text names no part of a request. `spec 18.3` and `spec 27.7` */
export function parseTaskIdSource(source: string): TaskIdSource | undefined {
  if (source.startsWith(headerPrefix)) {
    const [sent, key] = splitAt('/', source.slice(headerPrefix.length));
    const name = sent.toLowerCase();
    if (!headerName.test(name) || secretHeaders.includes(name)) return undefined;
    return withKey({ part: 'header', path: [name] }, key);
  }
  if (!source.startsWith(bodyPrefix)) return undefined;
  const path = source.slice(bodyPrefix.length);
  if (bodyFields.includes(path)) return { part: 'body', path: [path] };
  if (path.startsWith(jsonText))
    return withKey({ part: 'body', path: ['metadata', 'user_id'] }, path.slice(jsonText.length));
  // A key may contain dots.
  const [object, name] = splitAt('.', path);
  if (!objects.includes(object) || name === undefined || !keyPattern.test(name)) return undefined;
  return { part: 'body', path: [object, name] };
}

/** Whether this names a part of a request. */
export const isTaskIdSource = (source: string): boolean => parseTaskIdSource(source) !== undefined;

/** The same for every spelling of a header's name. The key of a JSON text stays as it is. */
export function normalizeTaskIdSource(source: string): string {
  const { part, path, key } = parseTaskIdSource(source)!;
  return part === 'header' ? `${headerPrefix}${path[0]}${key === undefined ? '' : `/${key}`}` : source;
}

/** The headers among the sources, in lower case. */
export const headersOfTask = (sources: readonly string[]): string[] =>
  sources.flatMap((source) => {
    const parsed = parseTaskIdSource(source);
    return parsed?.part === 'header' ? [...parsed.path] : [];
  });

/** Whether the value has 1 to 255 visible ASCII characters. */
export const isTaskId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);

/** What a task id may be read from. Names of headers are in lower case. */
export interface TaskIdRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readonly<Record<string, unknown>>;
}

/** `invalid`: the first source that is given has a value that is no task id. */
export type DerivedTaskId = { taskId: string } | { invalid: TaskIdSource };

/**
 * The task id of a request, from the first of its team's sources that is given; undefined when none is. Null and an empty text
 * count as not given: clients send them for a session that they do not have. So does a text that is no JSON, or lacks the key. An invalid
 * value is not passed over, because the call would join another job, or none. `spec 18.3`
 */
export function deriveTaskId(sources: readonly string[], request: TaskIdRequest): DerivedTaskId | undefined {
  for (const source of sources) {
    const parsed = parseTaskIdSource(source);
    const value = parsed && givenBy(parsed, request);
    if (value === undefined || value === null || value === '') continue;
    return isTaskId(value) ? { taskId: value } : { invalid: parsed! };
  }
  return undefined;
}

function givenBy({ part, path, key }: TaskIdSource, { headers, body }: TaskIdRequest): unknown {
  const value = path.reduce<unknown>(ownKey, part === 'header' ? headers : body);
  return key === undefined ? value : keyOfJson(value, key);
}
