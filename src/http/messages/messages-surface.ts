import { z } from 'zod';
import type { ErrorCode, TeamLimits } from '../../errors.ts';
import type { ReportedError, Surface } from '../surface.ts';
import { openAiError, openAiSurface } from '../v1/openai-surface.ts';

const description = `\`/v1/messages\` is Anthropic's Messages: existing clients work after a change of base URL and key. Errors there are
\`{"type": "error", "error": {"type", "message", "details"}, "request_id"}\`, and so are those of \`/v1/models\` with the header
\`anthropic-version\`, which is then answered in the form of Anthropic: \`{"data": [{"type": "model", "id", "display_name", "created_at"}],
"has_more", "first_id", "last_id"}\`, with \`limit\` (1 to 1,000), \`after_id\` and \`before_id\`.`;

const tags = { 'Anthropic-compatible': 'Messages in the form of Anthropic.' };

const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const typeOf = (status: number): string => types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

const overloaded = 529;
const needsMoney = 402;

/** Where Anthropic's status is another one than OpenAI's. */
const statuses: Partial<Record<ErrorCode, number>> = {
  insufficient_credits: needsMoney,
  key_limit_reached: needsMoney,
  upstream_rate_limited: overloaded,
  unavailable: overloaded,
  not_ready: overloaded,
};

const statusOf = (error: ReportedError): number => statuses[error.code] ?? openAiSurface.errorStatus(error);

/** The words by which Claude Code recognizes an error. */
function messageOf(error: ReportedError): string {
  const { code, figures } = error;
  const { message } = openAiError(error);
  if (statusOf(error) === needsMoney) {
    const words = 'Your credit balance is too low';
    return code === 'insufficient_credits' ? words : `${words}: ${message}`;
  }
  if (code !== 'context_length_exceeded' || !figures) return message;
  const { prompt_tokens: prompt, most, answer_tokens: answer } = figures;
  return answer === undefined
    ? `prompt is too long: ${prompt} tokens > ${most} maximum`
    : `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${most}, decrease input length or \`max_tokens\` and try again`;
}

/** The error in the form of Anthropic, also for the event of a stream. `spec 28.12` */
export function messagesError(error: ReportedError) {
  const { code } = openAiError(error);
  return {
    type: 'error',
    error: {
      type: typeOf(statusOf(error)),
      message: messageOf(error),
      ...(code !== null && { details: { error_code: code } }),
    },
    request_id: error.requestId ?? null,
  };
}

/** Both limits of a team in the form of Anthropic. `spec 28.9` */
export const anthropicLimitHeaders = ({ calls, tokens }: TeamLimits): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ requests: calls, tokens }).flatMap(([name, { limit, remaining, resetMs }]) => [
      [`anthropic-ratelimit-${name}-limit`, String(limit)],
      [`anthropic-ratelimit-${name}-remaining`, String(remaining)],
      [`anthropic-ratelimit-${name}-reset`, new Date(Date.now() + resetMs).toISOString()],
    ]),
  );

/** The names of `anthropicLimitHeaders`. */
export const anthropicLimitNames: readonly string[] = ['requests', 'tokens'].flatMap((name) =>
  ['limit', 'remaining', 'reset'].map((figure) => `anthropic-ratelimit-${name}-${figure}`),
);

function errorHeaders(error: ReportedError): Record<string, string> {
  return {
    ...openAiSurface.errorHeaders(error),
    ...(error.teamLimits && anthropicLimitHeaders(error.teamLimits)),
    ...(error.requestId && { 'request-id': error.requestId }),
  };
}

const MessagesError = z
  .object({
    type: z.literal('error').describe('Always `error`'),
    error: z
      .object({
        type: z.string().describe('The kind of error, such as `invalid_request_error` or `overloaded_error`'),
        message: z.string().describe('What is wrong, for people. Its wording may change'),
        details: z
          .object({ error_code: z.string().describe('What is wrong, for programs') })
          .optional()
          .describe('Absent where there is no code'),
      })
      .describe('The error'),
    request_id: z.string().nullable().describe('The id of the request, which is also in `request-id`'),
  })
  .meta({ id: 'MessagesError' });

/** The routes of Anthropic's clients. `spec 28.12` */
export const messagesSurface: Surface = {
  prefix: '/v1/messages/',
  errorStatus: statusOf,
  errorBody: messagesError,
  errorHeaders,
  isStored: openAiSurface.isStored,
  storedErrorHeaders: openAiSurface.storedErrorHeaders,
  docs: {
    description,
    tags,
    errorSchemas: { refused: MessagesError, invalid: MessagesError },
    invalidExample: [{ loc: ['body', 'messages'], msg: 'Field required', type: 'missing' }],
  },
};
