import { SimulatorError } from './simulator-error.ts';

/** The name that LiteLLM has for a status, which also says how its message begins. */
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

type Details = { words?: string; param?: string; retryAfterSeconds?: number };

/** What LiteLLM says when the provider behind it fails: the provider's words, the model, the fallbacks that it tried. */
export function providerError(status: number, model: string, details: Details = {}): SimulatorError {
  const { words = `The simulated provider failed with ${status}.`, param = null, retryAfterSeconds } = details;
  const deployment = status === 408 || status === 504 ? 'Deployment Info: request_timeout: None\ntimeout: None' : '';
  return new SimulatorError(
    status,
    [
      `${prefixes[status] ?? 'litellm.APIError: APIError'}: OpenAIException - ${words}`,
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

/** The same in a stream that has begun: by then it is always a 500, without a type. */
export const errorInStream = (): SimulatorError =>
  new SimulatorError(
    500,
    'litellm.APIConnectionError: APIConnectionError: OpenAIException - The simulated provider failed with 500.',
  );
