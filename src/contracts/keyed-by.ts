import { z } from 'zod';

/**
 * An object keyed by names that a caller chose. Zod's own record passes over `__proto__`, which is as good a team or job
 * type as any other; the documentation is that of the record.
 */
export const keyedBy = <T extends z.ZodType>(value: T, description: string) =>
  z
    .custom<Record<string, z.input<T>>>((given) => typeof given === 'object' && given !== null)
    .transform((given, context): Record<string, z.output<T>> => {
      const parsed = z.array(value).safeParse(Object.values(given));
      if (parsed.success) return Object.fromEntries(Object.keys(given).map((key, place) => [key, parsed.data[place]!]));
      context.addIssue({ code: 'custom', message: parsed.error.message });
      return z.NEVER;
    })
    .meta({ description });
