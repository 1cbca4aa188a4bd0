import type { z } from 'zod';

/** The source of a value: the first part of its `loc`. */
export type Source = 'body' | 'path' | 'query' | 'header';

type Description = [type: string, msg: string];
type Issue = z.core.$ZodIssue;

const typeErrors: Record<string, Description> = {
  string: ['string_type', 'Input should be a valid string'],
  number: ['float_type', 'Input should be a valid number'],
  int: ['int_type', 'Input should be a valid integer'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  record: ['dict_type', 'Input should be a valid dictionary'],
};

/** The errors of a path or a query, where each value is text: it does not have a wrong type, but cannot be parsed as the right one. */
const parsingErrors: Record<string, Description> = {
  number: ['float_parsing', 'Input should be a valid number, unable to parse string as a number'],
  int: ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  boolean: ['bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
};

const formatErrors: Record<string, Description> = {
  uuid: ['uuid_parsing', 'Input should be a valid UUID'],
  guid: ['uuid_parsing', 'Input should be a valid UUID'],
  datetime: ['datetime_parsing', 'Input should be a valid datetime'],
  date: ['date_parsing', 'Input should be a valid date'],
  email: ['value_error', 'value is not a valid email address'],
};

const plural = (count: bigint | number, noun: string) => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

function describeSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): Description {
  const [bound, side, word, most] =
    issue.code === 'too_small' ? [issue.minimum, 'short', 'greater', 'least'] : [issue.maximum, 'long', 'less', 'most'];
  switch (issue.origin) {
    case 'string':
      return [`string_too_${side}`, `String should have at ${most} ${plural(bound, 'character')}`];
    case 'array':
    case 'set':
      return [`too_${side}`, `List should have at ${most} ${plural(bound, 'item')}`];
    case 'object':
    case 'record':
      return [`too_${side}`, `Dictionary should have at ${most} ${plural(bound, 'item')}`];
    default:
      return issue.inclusive
        ? [`${word}_than_equal`, `Input should be ${word} than or equal to ${bound}`]
        : [`${word}_than`, `Input should be ${word} than ${bound}`];
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values
    .map((one) => (typeof one === 'string' ? `'${one}'` : String(one)))
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

function describeFormat(issue: z.core.$ZodIssueInvalidStringFormat): Description {
  if (issue.format !== 'regex') return formatErrors[issue.format] ?? ['value_error', issue.message];
  const pattern = String(issue.pattern).replace(/^\/(.*)\/\w*$/s, '$1');
  const hasOwnMessage = !issue.message.startsWith('Invalid string');
  return ['string_pattern_mismatch', hasOwnMessage ? issue.message : `String should match pattern '${pattern}'`];
}

/** An issue of zod as FastAPI describes it (`spec 1.3`), which is what clients of this interface expect. */
export function describeIssue(issue: Issue, source: Source, isInteger: boolean): Description {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = isInteger ? 'int' : issue.expected;
      const parsing = source === 'query' || source === 'path' ? parsingErrors[expected] : undefined;
      return parsing ?? typeErrors[expected] ?? ['value_error', issue.message];
    }
    case 'too_big':
    case 'too_small':
      return describeSize(issue);
    case 'invalid_value':
      return ['literal_error', `Input should be ${oneOf(issue.values)}`];
    case 'invalid_format':
      return describeFormat(issue as z.core.$ZodIssueInvalidStringFormat);
    case 'invalid_union': {
      const first = issue.errors[0]?.[0];
      return first ? describeIssue(first, source, isInteger) : ['value_error', 'Input is not valid'];
    }
    case 'unrecognized_keys':
      return ['extra_forbidden', 'Extra inputs are not permitted'];
    case 'custom':
      return [(issue.params?.type as string | undefined) ?? 'value_error', issue.message];
    default:
      return ['value_error', issue.message];
  }
}
