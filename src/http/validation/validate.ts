import { z } from 'zod';
import { type Invalid, InvalidRequest } from '../../errors.ts';
import { describeIssue, type Source } from './describe-issue.ts';

/** At most so many items are reported, also for a list with a mistake in each of its 100,000 items. */
const maxItems = 100;

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], root);

function toInvalid(issue: z.core.$ZodIssue, { schema, source, value, isNullAbsent = false }: Part): Invalid {
  const loc = [source, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  const found = valueAt(value, issue.path);
  const isAbsentNull = issue.path.length === 0 || (isNullAbsent && issue.path.length === 1);
  const isMissing = found === undefined || (found === null && isAbsentNull);
  const [type, msg] = describeIssue(issue, source, isInteger(schemaAt(schema, issue.path)));
  // A check of its own may have found another mistake than the type of what is not there.
  if (isMissing && (issue.code !== 'custom' || type.endsWith('_type')))
    return { loc, msg: 'Field required', type: 'missing' };
  return { loc, msg, type };
}

/** One issue for each field that an object may not have, at the path of the field. */
const byKey = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] })) : [issue];

/** One of the parts that a request's values come from. */
export interface Part {
  source: Source;
  schema: z.ZodType;
  value: unknown;
  /** A field of the value that is needed and null is missing. */
  isNullAbsent?: boolean | undefined;
}

/** The parsed values. Throws `InvalidRequest` with one item for each mistake in any of them. */
export function validateAll(parts: readonly Part[]): unknown[] {
  const parsed = parts.map((part) => ({ part, result: part.schema.safeParse(part.value) }));
  const items = parsed.flatMap(({ part, result }) =>
    result.success
      ? []
      : result.error.issues
          .slice(0, maxItems)
          .flatMap(byKey)
          .map((issue) => toInvalid(issue, part)),
  );
  if (items.length > 0) throw new InvalidRequest(items.slice(0, maxItems));
  return parsed.map(({ result }) => result.data);
}

/** The same for one value. */
export const validate = <T extends z.ZodType>(schema: T, source: Source, value: unknown): z.output<T> =>
  validateAll([{ source, schema, value }])[0] as z.output<T>;

/**
 * A query string is text. Where the schema wants a number or a boolean and the text is one, this makes it one, so that schemas
 * stay plain and the documentation says `integer`. What is named `metadata.<key>` becomes the field `metadata`, if that is a record.
 * The schema refuses everything else; `limit[]=1` and `limit[a]=1` are an array and an object here, and are refused as such.
 */
export function readQuery(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = { ...query };
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = query[name];
    const type = innermost(field);
    if (type instanceof z.ZodNumber && typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value))
      read[name] = Number(value);
    if (type instanceof z.ZodBoolean && (value === 'true' || value === 'false')) read[name] = value === 'true';
    if (type instanceof z.ZodRecord) read[name] = pickMembers(name, query) ?? value;
  }
  return read;
}

/** A record leaves this key out: a filter by it would be no filter. */
const leftOut = '__proto__';

/** The members of a record in a query, by their keys; undefined without any. */
function pickMembers(name: string, query: Record<string, unknown>): unknown {
  const members = Object.entries(query).filter(([key]) => key.startsWith(`${name}.`));
  if (members.length === 0) return undefined;
  if (members.some(([key]) => key === `${name}.${leftOut}`)) return leftOut;
  return Object.fromEntries(members.map(([key, value]) => [key.slice(name.length + 1), value]));
}

/** The schema inside `optional`, `nullable` and `default`. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = (schema._zod.def as { innerType?: z.core.$ZodType }).innerType;
  return inner ? innermost(inner) : schema;
}

/** The schema of the value at `path`; undefined where the path leads through something without fixed keys. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  const here = innermost(schema);
  const [key, ...rest] = path;
  if (key === undefined) return here;
  const next =
    here instanceof z.ZodObject
      ? (here.shape[String(key)] as z.core.$ZodType | undefined)
      : here instanceof z.ZodArray
        ? here.element
        : undefined;
  return next && schemaAt(next, rest);
}

const isInteger = (schema: z.core.$ZodType | undefined): boolean =>
  schema instanceof z.ZodNumber && Boolean(schema.format?.includes('int'));
