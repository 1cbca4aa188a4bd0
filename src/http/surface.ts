import type { z } from 'zod';
import type { ErrorCode, Figures, Invalid, TeamLimits } from '../errors.ts';

/** What an error response reports. */
export interface ReportedError {
  /** The status of the table of refusals; 422 for input that is not valid. */
  status: number;
  code: ErrorCode;
  /** A sentence, or for a request that is not valid its problems. */
  detail: string | readonly Invalid[];
  /** What a refusal has beside its detail. */
  figures?: Figures | undefined;
  /** The time until a limit permits the request again. */
  retryAfterMs?: number | undefined;
  /** The id of the request. Undefined in the documentation. */
  requestId?: string | undefined;
  /** Both limits of the team of a call that a limit refused. */
  teamLimits?: TeamLimits | undefined;
}

/** The form of errors. */
export interface ErrorFormat {
  /** The status of an error response. */
  errorStatus(error: ReportedError): number;
  /** The body of an error response. */
  errorBody(error: ReportedError): object;
  /** The headers of every error response of this kind. Those of a limit or of one refusal are added. */
  errorHeaders(error: ReportedError): Record<string, string>;
}

/** What a family of routes has in common: the form of its errors, and its part of the documentation. */
export interface Surface extends ErrorFormat {
  /** The beginning of its paths. An error on an unknown path that begins so has this form. */
  prefix: string;
  /** Whether a request that was answered so is answered the same when it is repeated with its Idempotency-Key. */
  isStored(reply: StorableReply): boolean;
  /** Headers that a stored error has besides. */
  storedErrorHeaders: Record<string, string>;
  docs: {
    /** A part of the description of the document. */
    description: string;
    /** The descriptions of the tags of its routes. */
    tags: Record<string, string>;
    /** The schemas of `errorBody`. They have names (`.meta({ id })`), which no other surface uses. */
    errorSchemas: { refused: z.ZodType; invalid: z.ZodType };
    /** The problems in the example of an error for input that is not valid. */
    invalidExample: readonly Invalid[];
  };
}

/** What decides whether a reply is stored. */
export interface StorableReply {
  status: number;
  /** The code of an error. */
  code?: ErrorCode | undefined;
}
