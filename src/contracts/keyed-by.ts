import { z } from 'zod';

/**
 * An object keyed by names that a caller chose. Zod's own record passes over the key `__proto__`, which is as good a
 * team id or job type as any other; documented as a record all the same.
 */
export function keyedBy<T extends z.ZodType>(value: T) {
  const values = z.array(value);
  const schema = z.custom<Record<string, z.output<T>>>(
    (given) => typeof given === 'object' && given !== null && values.safeParse(Object.values(given)).success,
  );
  schema._zod.toJSONSchema = () => z.toJSONSchema(z.record(z.string(), value), { target: 'openapi-3.0', io: 'input' });
  return schema;
}
