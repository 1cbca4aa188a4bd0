import type { CallFailure } from '../domain/call-failure.ts';
import { classifyRefusal } from './classify-refusal.ts';

/**
 * Why a request to a model failed. Clients see the message: it never contains a URL, a key, the name of a model or text from
 * the upstream. `spec 4.3`
 */
export class UpstreamError extends Error {
  /** The next model may be tried: `spec 4.2`. */
  readonly mayFallBack: boolean;
  readonly failure: CallFailure;

  constructor(reason: string, mayFallBack: boolean, { failure = 'error', ...options }: FailureOptions = {}) {
    super(reason, options);
    this.name = 'UpstreamError';
    this.mayFallBack = mayFallBack;
    this.failure = failure;
  }
}

interface FailureOptions extends ErrorOptions {
  failure?: CallFailure;
}

const reasons: Record<number, string> = {
  400: 'the upstream rejected the request',
  401: 'the upstream rejected its credential',
  403: 'the upstream denied access',
  404: 'the upstream does not know the model',
  408: 'the upstream timed out',
  409: 'the upstream reported a conflict',
  413: 'the request is too large for the upstream',
  422: 'the upstream rejected the request',
  429: 'the upstream is rate limited',
};

const reasonOfRefusal = {
  context_length: "the prompt is longer than the model's context",
  content_policy: 'the content policy of the upstream does not allow the request',
};

const failures: Record<number, CallFailure> = {
  400: 'rejected',
  408: 'timeout',
  409: 'error',
  413: 'rejected',
  422: 'rejected',
  429: 'rate_limited',
  504: 'timeout',
};

/** Any other status below 500, such as 401, 403, 404 or a redirect, is an error of the installation. */
const failureOf = (status: number): CallFailure => failures[status] ?? (status >= 500 ? 'error' : 'misconfigured');

const transientStatuses = new Set([408, 409, 429]);
/** The statuses with which the upstream refuses the request itself: its body has the reason. */
export const refusingStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

/** `error`: the body of the response, if its status is one of `refusingStatuses`. */
export function statusError(status: number, error?: unknown): UpstreamError {
  const mayFallBack = status >= 500 || transientStatuses.has(status);
  const refusal = refusingStatuses.has(status) ? classifyRefusal(error) : undefined;
  if (refusal) return new UpstreamError(reasonOfRefusal[refusal], mayFallBack, { failure: refusal });
  const reason = reasons[status] ?? `the upstream answered with status ${status}`;
  return new UpstreamError(reason, mayFallBack, { failure: failureOf(status) });
}

/** An error in the body of a response with status 200, as in a stream. LiteLLM's `code` is the status that the error stands for. */
export function reportedError(error: unknown): UpstreamError {
  const { code } = (error ?? {}) as { code?: unknown };
  // Converting other types, above all objects, may throw.
  const status = typeof code === 'number' || typeof code === 'string' ? Number(code) : Number.NaN;
  if (Number.isInteger(status) && status >= 400 && status <= 599) return statusError(status, error);
  const refusal = classifyRefusal(error);
  if (refusal) return new UpstreamError(reasonOfRefusal[refusal], true, { failure: refusal });
  return new UpstreamError('the upstream reported an error', true);
}

export const timedOut = () => new UpstreamError('the upstream timed out', true, { failure: 'timeout' });
export const unreachable = (cause: unknown) => new UpstreamError('the upstream could not be reached', true, { cause });
export const unreadable = () => new UpstreamError('the upstream sent an unreadable answer', true);
export const brokeOff = (cause: unknown) => new UpstreamError('the upstream broke off its answer', true, { cause });
export const endedEarly = () => new UpstreamError('the upstream ended the stream without a finish reason', true);
export const unfinished = () => new UpstreamError('the upstream could not finish its answer', true);
