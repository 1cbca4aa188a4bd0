type ErrorFields = {
  type?: string | null;
  param?: string | null;
  headers?: Record<string, string>;
  /** LiteLLM repeats some of its own error messages in a field that is meant for the provider's. */
  providerFields?: Record<string, unknown>;
};

/** An error in the form of nearly all errors of a LiteLLM proxy. `code` is the status, as a string. */
export class SimulatorError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  private readonly fields: ErrorFields;

  constructor(status: number, message: string, fields: ErrorFields = {}) {
    super(message);
    this.status = status;
    this.headers = fields.headers ?? {};
    this.fields = fields;
  }

  get body(): unknown {
    const { type = null, param = null, providerFields } = this.fields;
    return {
      error: {
        message: this.message,
        type,
        param,
        code: String(this.status),
        ...(providerFields ? { provider_specific_fields: providerFields } : {}),
      },
    };
  }
}

/**
 * The other form, FastAPI's: for errors that a handler raised outside LiteLLM's error handling, and for bodies that fail validation.
 */
export class DetailError extends SimulatorError {
  private readonly detail: unknown;

  constructor(status: number, detail: unknown) {
    super(status, JSON.stringify(detail));
    this.detail = detail;
  }

  override get body(): unknown {
    return { detail: this.detail };
  }
}

/** The beginning of LiteLLM's message for a status. */
const prefixes: Record<number, string> = {
  400: 'litellm.BadRequestError',
  401: 'litellm.AuthenticationError: AuthenticationError',
  404: 'litellm.NotFoundError: NotFoundError',
  408: 'litellm.Timeout: Timeout Error',
  422: 'litellm.BadRequestError',
  429: 'litellm.RateLimitError: RateLimitError',
  500: 'litellm.InternalServerError: InternalServerError',
  502: 'litellm.BadGatewayError: BadGatewayError',
  503: 'litellm.ServiceUnavailableError: ServiceUnavailableError',
  504: 'litellm.Timeout: Timeout Error',
};

const types: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'throttling_error' };

type ProviderDetails = { message?: string; param?: string; retryAfterSeconds?: number };

/** LiteLLM's error when its provider fails: the provider's message, the model, the fallbacks that it tried. */
export function providerError(status: number, model: string, details: ProviderDetails = {}): SimulatorError {
  const { message = `The simulated provider failed with ${status}.`, param = null, retryAfterSeconds } = details;
  const deployment = status === 408 || status === 504 ? 'Deployment Info: request_timeout: None\ntimeout: None' : '';
  return new SimulatorError(
    status,
    [
      `${prefixes[status] ?? 'litellm.APIError: APIError'}: OpenAIException - ${message}`,
      ...(deployment ? [deployment] : []),
      `LiteLLM: model group '${model}' failed with the error above. No fallback was attempted.`,
    ].join('\n\n'),
    {
      type: types[status] ?? (status < 500 ? 'invalid_request_error' : 'internal_server_error'),
      param,
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    },
  );
}

/** The same in a stream that has begun: always a 500, without a type. */
export const errorInStream = (): SimulatorError =>
  new SimulatorError(
    500,
    'litellm.APIConnectionError: APIConnectionError: OpenAIException - The simulated provider failed with 500.',
  );
