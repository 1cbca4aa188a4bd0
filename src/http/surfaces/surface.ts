import type { z } from 'zod';
import type { Invalid, RefusalCode } from '../../errors.ts';

/** What an error response reports. */
export interface ReportedError {
  status: number;
  /** Undefined for input that is not valid, and for a request that is not HTTP. */
  code?: RefusalCode;
  /** A sentence, or for a request that is not valid its problems. */
  detail: string | readonly Invalid[];
}

/** What a family of routes has in common: the form of its errors, and its part of the documentation. */
export interface Surface {
  /** The beginning of its paths. Ids of operations leave it out; an error on an unknown path that begins so has this form. */
  prefix: string;
  /** The body of an error response. */
  errorBody(error: ReportedError): object;
  /** The headers of every error response with this status. Those of a limit or of one refusal are added. */
  errorHeaders(status: number): Record<string, string>;
  docs: {
    /** A part of the description of the document. */
    description: string;
    /** The descriptions of the tags of its routes. */
    tags: Record<string, string>;
    /** The schemas of `errorBody`. They have names (`.meta({ id })`), which no other surface uses. */
    errorSchemas: { refused: z.ZodType; invalid: z.ZodType };
    /** The problems in the example of a 422. */
    invalidExample: readonly Invalid[];
  };
}
