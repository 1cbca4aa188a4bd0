import type { ErrorFormat } from '../surface.ts';

const types: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

const typeOf = (status: number): string => types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

/** Paths of Anthropic's clients, whatever base URL they were given. A thread of OpenAI has messages too. */
const ofClients = /^(?:\/[^/]+)*?\/v1\/messages(?:\/|$)|^(?:\/anthropic)?\/messages(?:\/|$)/i;

export const isForAnthropic = (path: string): boolean => ofClients.test(path);

/** There is no endpoint in this form yet: only its unknown paths are answered as its clients read errors. `spec 1.17` */
export const anthropicErrors: ErrorFormat = {
  errorStatus: ({ status }) => status,
  errorBody: ({ status, detail }) => ({
    type: 'error',
    error: { type: typeOf(status), message: typeof detail === 'string' ? detail : (detail[0]?.msg ?? '') },
  }),
  errorHeaders: () => ({}),
};
