import type { ErrorBody, ErrorCode, HTTPValidationError, ValidationError } from './types.generated.ts';

/** What every error of this package is. An abort is none: it throws the reason of its signal. */
export class JobGatewayError extends Error {
  static {
    JobGatewayError.prototype.name = 'JobGatewayError';
  }
}

/** Node.js has the reason in the code of a cause, Bun in its own code, Deno in the message. */
function isRefusal(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code, message } = cause as Error & { code?: unknown };
  return /refused/i.test(`${code} ${message}`) || isRefusal(cause.cause);
}

/** No answer, or only a part of one: the connection failed or broke off. */
export class APIConnectionError extends JobGatewayError {
  /** Nobody listens at the address: the request was not received. */
  readonly isRefused: boolean;

  static {
    APIConnectionError.prototype.name = 'APIConnectionError';
  }

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.isRefused = isRefusal(options?.cause);
  }
}

/** The answer did not come within `timeout`. */
export class APITimeoutError extends APIConnectionError {
  static {
    APITimeoutError.prototype.name = 'APITimeoutError';
  }
}

/** A webhook that must not be believed. */
export class WebhookVerificationError extends JobGatewayError {
  static {
    WebhookVerificationError.prototype.name = 'WebhookVerificationError';
  }
}

export interface APIErrorFields {
  status: number;
  code: ErrorCode | null;
  detail: string | ValidationError[];
  requestId: string | null;
  /** Seconds, of the header `Retry-After`. */
  retryAfter: number | null;
  /** The whole body: a 402 and a 429 of a budget have `cap`, `limit`, `spent`, `held` and `needed`. */
  body: Partial<ErrorBody> | Partial<HTTPValidationError> | null;
}

/** The gateway has refused the request, or failed. */
export class APIError extends JobGatewayError {
  declare readonly status: number;
  declare readonly code: ErrorCode | null;
  declare readonly detail: string | ValidationError[];
  declare readonly requestId: string | null;
  declare readonly retryAfter: number | null;
  declare readonly body: APIErrorFields['body'];

  static {
    APIError.prototype.name = 'APIError';
  }

  constructor(fields: APIErrorFields) {
    const { status, code, detail } = fields;
    super(`${status}${code ? ` ${code}` : ''}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
    Object.assign(this, fields);
  }
}

export class BadRequestError extends APIError {
  static {
    BadRequestError.prototype.name = 'BadRequestError';
  }
}

export class AuthenticationError extends APIError {
  static {
    AuthenticationError.prototype.name = 'AuthenticationError';
  }
}

/** A cap of the job's budget is reached. It is never repeated: somebody has to raise the cap. */
export class PaymentRequiredError extends APIError {
  static {
    PaymentRequiredError.prototype.name = 'PaymentRequiredError';
  }
}

export class PermissionDeniedError extends APIError {
  static {
    PermissionDeniedError.prototype.name = 'PermissionDeniedError';
  }
}

export class NotFoundError extends APIError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}

export class ConflictError extends APIError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}

export class UnprocessableEntityError extends APIError {
  static {
    UnprocessableEntityError.prototype.name = 'UnprocessableEntityError';
  }
}

export class RateLimitError extends APIError {
  static {
    RateLimitError.prototype.name = 'RateLimitError';
  }
}

export class InternalServerError extends APIError {
  static {
    InternalServerError.prototype.name = 'InternalServerError';
  }
}

/** The model, or the way to it, has failed: a 500 `call_failed`, or the error event of a stream. A repetition is a new call. */
export class CallFailedError extends APIError {
  static {
    CallFailedError.prototype.name = 'CallFailedError';
  }
}

const byStatus: Record<number, typeof APIError> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

function classOf({ status, code }: APIErrorFields): typeof APIError {
  if (code === 'call_failed') return CallFailedError;
  return byStatus[status] ?? (status >= 500 ? InternalServerError : APIError);
}

/** Seconds or a date, as seconds from now. */
export function readRetryAfter(value: string | null, now = Date.now()): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1_000);
}

const maxDetailLength = 500;

/** The error of an answer. What is between here and the gateway may answer in another form: its text is the detail then. */
export function errorOf(status: number, header: (name: string) => string | null, text: string): APIError {
  let body: APIErrorFields['body'] = null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = parsed;
  } catch {}
  const fields: APIErrorFields = {
    status,
    code: body?.code ?? null,
    detail: body?.detail ?? (text.slice(0, maxDetailLength) || `The gateway answered with ${status}`),
    requestId: header('x-request-id'),
    retryAfter: readRetryAfter(header('retry-after')),
    body,
  };
  return new (classOf(fields))(fields);
}

/** The error of a call that has ended, from an event of its stream or from its record. */
export const callFailure = (detail: string, code: ErrorCode | null, requestId: string | null): CallFailedError =>
  new CallFailedError({
    status: 500,
    code,
    detail,
    requestId,
    retryAfter: null,
    body: { detail, code: code ?? undefined } as Partial<ErrorBody>,
  });
