import { z } from 'zod';
import { type Invalid, InvalidRequest } from '../errors.ts';

/**
 * Zod's findings in FastAPI's words (`rulings.md` 1.3), because the clients of this interface were written against
 * those: `{loc, msg, type}`, `loc` beginning with where the value came from.
 */
type Source = 'body' | 'path' | 'query' | 'header';
type Issue = z.core.$ZodIssue;

const typeErrors: Record<string, [type: string, msg: string]> = {
  string: ['string_type', 'Input should be a valid string'],
  number: ['float_type', 'Input should be a valid number'],
  int: ['int_type', 'Input should be a valid integer'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['dict_type', 'Input should be a valid dictionary'],
  record: ['dict_type', 'Input should be a valid dictionary'],
};
const parsingErrors: Record<string, [type: string, msg: string]> = {
  number: ['float_parsing', 'Input should be a valid number, unable to parse string as a number'],
  int: ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  boolean: ['bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
};

const formatErrors: Record<string, [type: string, msg: string]> = {
  uuid: ['uuid_parsing', 'Input should be a valid UUID'],
  guid: ['uuid_parsing', 'Input should be a valid UUID'],
  datetime: ['datetime_parsing', 'Input should be a valid datetime'],
  date: ['date_parsing', 'Input should be a valid date'],
  regex: ['string_pattern_mismatch', 'String should match the pattern'],
};

const plural = (count: bigint | number, noun: string) => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

function sizeError(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): [string, string] {
  const small = issue.code === 'too_small';
  const bound = small ? issue.minimum : issue.maximum;
  if (issue.origin === 'string') {
    return [
      `string_too_${small ? 'short' : 'long'}`,
      `String should have at ${small ? 'least' : 'most'} ${plural(bound, 'character')}`,
    ];
  }
  if (issue.origin === 'array' || issue.origin === 'set') {
    return [
      `too_${small ? 'short' : 'long'}`,
      `List should have at ${small ? 'least' : 'most'} ${plural(bound, 'item')}`,
    ];
  }
  const word = small ? 'greater' : 'less';
  return issue.inclusive
    ? [`${word}_than_equal`, `Input should be ${word} than or equal to ${bound}`]
    : [`${word}_than`, `Input should be ${word} than ${bound}`];
}

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], root);

function describe(issue: Issue, source: Source, value: unknown): [string, string] {
  if (value === undefined && source !== 'path' && issue.code !== 'custom') return ['missing', 'Field required'];
  switch (issue.code) {
    case 'invalid_type': {
      const isInteger = issue.expected === 'int' || (issue as { format?: string }).format === 'safeint';
      const expected = isInteger ? 'int' : issue.expected;
      const words = source === 'query' ? (parsingErrors[expected] ?? typeErrors[expected]) : typeErrors[expected];
      return words ?? ['value_error', issue.message];
    }
    case 'too_big':
    case 'too_small':
      return sizeError(issue);
    case 'invalid_value':
      return [
        'literal_error',
        `Input should be ${issue.values
          .map((one) => `'${String(one)}'`)
          .join(', ')
          .replace(/, ([^,]*)$/, ' or $1')}`,
      ];
    case 'invalid_format':
      return formatErrors[issue.format] ?? ['value_error', `value is not a valid ${issue.format}`];
    case 'invalid_union': {
      const nested = issue.errors[0]?.[0];
      return nested ? describe(nested as Issue, source, value) : ['value_error', 'Input is not valid'];
    }
    case 'custom':
      return [(issue.params?.type as string | undefined) ?? 'value_error', issue.message];
    default:
      return ['value_error', issue.message];
  }
}

function toInvalid(issue: Issue, source: Source, root: unknown): Invalid {
  const [type, msg] = describe(issue, source, valueAt(root, issue.path));
  return { loc: [source, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))], msg, type };
}

/** The parsed value, or `InvalidRequest` with one item for each thing that is wrong. */
export function validate<T extends z.ZodType>(schema: T, source: Source, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(parsed.error.issues.map((issue) => toInvalid(issue, source, value)));
}

const innermost = (schema: z.core.$ZodType): z.core.$ZodType => {
  const inner = (schema._zod.def as { innerType?: z.core.$ZodType }).innerType;
  return inner ? innermost(inner) : schema;
};

/**
 * A query string is text. Where the schema wants a number and the text is one, this makes it one, so that schemas
 * stay plain and the documentation says `integer`. Everything else is left for the schema to refuse; `limit[]=1`
 * and `limit[a]=1` arrive here as an array and an object, and are refused as such.
 */
export function readQuery(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = { ...query };
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = query[name];
    const inner = innermost(field);
    if (inner instanceof z.ZodNumber && typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value))
      read[name] = Number(value);
  }
  return read;
}
