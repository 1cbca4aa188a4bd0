import { z } from 'zod';

/** The schema inside `optional`, `nullable` and `default`. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = (schema._zod.def as { innerType?: z.core.$ZodType }).innerType;
  return inner ? innermost(inner) : schema;
}

/** The schema of the value at `path`; undefined where the path leads through something without fixed keys. */
export function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
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

export const isInteger = (schema: z.core.$ZodType | undefined): boolean =>
  schema instanceof z.ZodNumber && Boolean(schema.format?.includes('int'));
