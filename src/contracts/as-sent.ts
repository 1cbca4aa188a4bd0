import { z } from 'zod';
import { isRawNumber } from '../domain/formats/exact-json.ts';
import { document } from './fields.ts';

/** Schemas for values that go upstream as they were sent: they are checked, and not copied or changed in any way. */

type Path = PropertyKey[];
type Issues = z.core.$ZodRawIssue[];

/** Adds the issues of a schema for a part of the checked value. */
export function addIssues(issues: Issues, schema: z.ZodType, value: unknown, path: Path = []): void {
  for (const issue of schema.safeParse(value).error?.issues ?? [])
    issues.push({ ...issue, input: undefined, path: [...path, ...issue.path] } as z.core.$ZodRawIssue);
}

/** An issue of a kind of `spec 1.3`, or `unsupported_value`. */
export const newIssue = (type: string, message: string, path: Path = []): z.core.$ZodRawIssue =>
  ({ code: 'custom', message, path, input: undefined, params: { type } }) as z.core.$ZodRawIssue;

type Check = (value: unknown, issues: Issues) => void;

/** A checked value with the documentation of another schema. */
function checked<T>(shown: z.ZodType, check: Check) {
  const schema = z.custom<T>().superRefine((value, context) => check(value, context.issues));
  document(schema, shown);
  return schema;
}

/** A value that fits the schema. */
export const asSent = <T extends z.ZodType>(schema: T) =>
  checked<z.output<T>>(schema, (value, issues) => addIssues(issues, schema, value));

const missing = (path: Path = []) => newIssue('missing', 'Field required', path);

const isNumber = (value: unknown): boolean => Number.isFinite(value) || isRawNumber(value);

/** Any finite number; also an integer that a double cannot hold. */
export const sentNumber = checked<number>(z.number(), (value, issues) => {
  if (!isNumber(value)) issues.push(newIssue('float_type', 'Input should be a valid number'));
});

export const sentInteger = checked<number>(z.int(), (value, issues) => {
  if (!Number.isInteger(value) && !isRawNumber(value))
    issues.push(newIssue('int_type', 'Input should be a valid integer'));
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

const AnyObject = z.record(z.string(), z.unknown());
const notAnObject = (path: Path = []) => newIssue('dict_type', 'Input should be a valid dictionary', path);

/** Any JSON object, whatever its keys. */
export const sentObject = checked<Record<string, unknown>>(AnyObject, (value, issues) => {
  if (!isObject(value)) issues.push(notAnObject());
});

/** A text, or what the other schema takes. */
export const textOr = (schema: z.ZodType) =>
  checked<unknown>(z.union([z.string(), schema]), (value, issues) => {
    if (typeof value === 'string') return;
    if (value === undefined) issues.push(missing());
    else if (typeof value === 'object' && value !== null) addIssues(issues, schema, value);
    else issues.push(newIssue('string_type', 'Input should be a valid string, or a list or object as documented'));
  });

/** An object whose field `key` names the schema that it has to fit. `others: 'any'`: an unknown name is accepted, with any fields. */
export function chosenBy(key: string, schemas: Record<string, z.ZodType>, { others }: { others?: 'any' } = {}) {
  const names = Object.keys(schemas);
  return checked<Record<string, unknown>>(z.union(Object.values(schemas) as [z.ZodType]), (value, issues) => {
    if (!isObject(value)) {
      issues.push(notAnObject());
      return;
    }
    const name = value[key];
    if (name === undefined) issues.push(missing([key]));
    else if (typeof name !== 'string') issues.push(newIssue('string_type', 'Input should be a valid string', [key]));
    else if (!Object.hasOwn(schemas, name) && others === 'any') return;
    else if (!Object.hasOwn(schemas, name))
      issues.push(
        newIssue('literal_error', `Input should be one of ${names.map((one) => `'${one}'`).join(', ')}`, [key]),
      );
    else addIssues(issues, schemas[name]!, value);
  });
}

/** A value that this service does not support, unless it is one of the values without an effect. */
export const unsupportedUnless = (shown: z.ZodType, isWithoutEffect: (value: unknown) => boolean, message: string) =>
  checked<unknown>(shown, (value, issues) => {
    if (!isWithoutEffect(value)) issues.push(newIssue('unsupported_value', message));
  });
