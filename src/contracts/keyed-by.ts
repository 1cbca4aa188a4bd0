import { z } from 'zod';

/**
 * An object keyed by names that clients chose. Zod's own record skips the key `__proto__`, which is a valid team id or job
 * type; the documentation shows a record all the same.
 */
export function keyedBy<T extends z.ZodType>(value: T, description: string) {
  const values = z.array(value);
  const schema = z
    .custom<Record<string, z.output<T>>>(
      (given) => typeof given === 'object' && given !== null && values.safeParse(Object.values(given)).success,
    )
    .register(z.globalRegistry, { description });
  schema._zod.toJSONSchema = () => z.toJSONSchema(z.record(z.string(), value), { target: 'openapi-3.0', io: 'input' });
  return schema;
}
