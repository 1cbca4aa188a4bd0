/**
 * Why a request to a model failed. Clients see the message: it never contains a URL, a key, the name of a model or text from
 * the upstream. `spec 4.3`
 */
export class UpstreamError extends Error {
  /** The next model may be tried: `spec 4.2`. */
  readonly mayFallBack: boolean;

  constructor(reason: string, mayFallBack: boolean, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'UpstreamError';
    this.mayFallBack = mayFallBack;
  }
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

const transientStatuses = new Set([408, 409, 429]);

export const statusError = (status: number): UpstreamError =>
  new UpstreamError(
    reasons[status] ?? `the upstream answered with status ${status}`,
    status >= 500 || transientStatuses.has(status),
  );

/** An error in the body of a response with status 200, as in a stream. LiteLLM's `code` is the status that the error stands for. */
export function reportedError(error: unknown): UpstreamError {
  const { code } = (error ?? {}) as { code?: unknown };
  // Converting other types, above all objects, may throw.
  const status = typeof code === 'number' || typeof code === 'string' ? Number(code) : Number.NaN;
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  return isStatus ? statusError(status) : new UpstreamError('the upstream reported an error', true);
}

export const timedOut = () => new UpstreamError('the upstream timed out', true);
export const unreachable = (cause: unknown) => new UpstreamError('the upstream could not be reached', true, { cause });
export const unreadable = () => new UpstreamError('the upstream sent an unreadable answer', true);
export const brokeOff = (cause: unknown) => new UpstreamError('the upstream broke off its answer', true, { cause });
export const endedEarly = () => new UpstreamError('the upstream ended the stream without a finish reason', true);
export const unfinished = () => new UpstreamError('the upstream could not finish its answer', true);
