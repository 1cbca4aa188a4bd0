import type { z } from 'zod';
import type { Invalid, RefusalCode } from '../../errors.ts';

/** An error as a client reads it. */
export interface ShownError {
  status: number;
  code: RefusalCode;
  /** A sentence, or for a request that is not valid its problems. */
  detail: string | Invalid[];
}

/** What a family of routes has in common: the form of its errors, and how that is documented. */
export interface Surface {
  /** The beginning of its paths, which the ids of its operations leave out. */
  prefix: string;
  errorBody(error: ShownError): object;
  /** The schemas of its error bodies: of a refusal, and of a request that is not valid. */
  errorSchemas: z.ZodObject<{ error: z.ZodType; invalid: z.ZodType }>;
  /** Their names in the documentation. */
  schemaNames: { error: string; invalid: string };
}
