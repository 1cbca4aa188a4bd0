import { UpstreamError } from './upstream-error.ts';

const kinds: Record<number, { name: string; type?: string }> = {
  400: { name: 'BadRequestError' },
  401: { name: 'AuthenticationError' },
  403: { name: 'PermissionDeniedError' },
  404: { name: 'NotFoundError' },
  408: { name: 'Timeout' },
  422: { name: 'UnprocessableEntityError' },
  429: { name: 'RateLimitError', type: 'throttling_error' },
  503: { name: 'ServiceUnavailableError' },
};

/** What LiteLLM says when the provider behind it fails: the provider's words, the model and the fallbacks it tried. */
export function providerError(status: number, model: string, retryAfterSeconds?: number): UpstreamError {
  const { name, type } = kinds[status] ?? { name: status >= 500 ? 'InternalServerError' : 'APIError' };
  return new UpstreamError(
    status,
    `litellm.${name}: ${name}: OpenAIException - The simulated provider failed with ${status}. ` +
      `Received Model Group=${model}\nAvailable Model Group Fallbacks=None`,
    {
      type: type ?? null,
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    },
  );
}
