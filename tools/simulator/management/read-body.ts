import type { z } from 'zod';
import { DetailError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';

type Issue = z.core.$ZodIssue;

const inputTypes: Record<string, { type: string; msg: string }> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  object: { type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from' },
};

/** An issue with pydantic's messages: LiteLLM answers an invalid body with 422 and a list in `detail`. */
function describeIssue(issue: Issue, body: unknown) {
  const loc = ['body', ...issue.path];
  if (issue.code === 'custom') return { type: 'value_error', loc, msg: `Value error, ${issue.message}` };
  const given = issue.path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown>)?.[name], body);
  if (given === undefined) return { type: 'missing', loc, msg: 'Field required' };
  const typeError = issue.code === 'invalid_type' ? inputTypes[issue.expected] : undefined;
  return { ...(typeError ?? { type: 'value_error', msg: issue.message }), loc };
}

export function readBody<Schema extends z.ZodType>({ request }: Exchange, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return parsed.data;
  throw new DetailError(
    422,
    parsed.error.issues.map((issue) => describeIssue(issue, request.body)),
  );
}
