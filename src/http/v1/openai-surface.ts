import { z } from 'zod';
import { type ErrorCode, failuresOfCalls, type Invalid, type TeamLimits } from '../../errors.ts';
import type { ReportedError, StorableReply, Surface } from '../surface.ts';

const description = `The endpoints under \`/v1\` are those of OpenAI's chat completions: existing clients work after a change of base URL and
key. Each call belongs to a job and is billed with it: to a job of its own, unless headers name another one. Their errors are
\`{"error": {"message", "type", "param", "code"}}\`; a body has at most 32 MiB.`;

const tags = {
  'OpenAI-compatible': 'Chat completions and models in the form of OpenAI.',
  Responses: "OpenAI's Responses, which agents use.",
};

/** How an error is sent. What is left out is that of the table of refusals. */
interface ErrorForm {
  status?: number;
  /** The code. Default: that of the table of refusals. */
  code?: string | null;
  type?: string;
  /** The text where clients look for words of OpenAI. Default: that of the refusal. */
  message?: string;
  headers?: Record<string, string>;
}

const neverRetry = { 'x-should-retry': 'false' };
const permission = { type: 'permission_error' };

/** `spec 17.23`. Default: the status and the code of the refusal, with the type of the status. */
const forms: Partial<Record<ErrorCode, ErrorForm>> = {
  // LiteLLM takes any other 401 of this type for a mistake in the request.
  key_missing: { code: 'invalid_api_key', message: 'Incorrect API key provided: none' },
  key_invalid: { code: 'invalid_api_key', message: 'Incorrect API key provided' },
  team_suspended: permission,
  job_of_another_team: permission,
  team_key_needed: permission,
  role_insufficient: { ...permission, code: 'team_key_needed' },
  session_ended: { code: 'invalid_api_key' },
  session_read_only: { ...permission, code: 'team_key_needed' },
  cross_site_request: permission,
  path_not_found: { code: 'unknown_url' },
  job_finished: { status: 400 },
  call_ended: { code: 'job_finished' },
  request_in_progress: { type: 'conflict_error' },
  body_too_large: { code: 'request_too_large' },
  body_not_readable: { code: 'unsupported_media_type' },
  request_malformed: { code: null },
  host_not_served: { code: null },
  rate_limited: { code: 'rate_limit_exceeded', type: 'rate_limit_error' },
  insufficient_credits: { status: 429, code: 'insufficient_quota', type: 'insufficient_quota', headers: neverRetry },
  key_limit_reached: { status: 429, type: 'insufficient_quota', headers: neverRetry },
  job_budget_reached: { type: 'insufficient_quota', headers: neverRetry },
  job_budget_held: { type: 'rate_limit_error' },
  job_deadline_exceeded: { status: 400, code: 'job_finished' },
  upstream_misconfigured: { headers: neverRetry },
  upstream_over_budget: { headers: neverRetry },
};

/** Refusals after which the call exists: a repetition with the same Idempotency-Key gets the same answer. `spec 17.25` */
const outcomes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([...failuresOfCalls, 'internal_error']);

const invalidStatus = 400;

const isInvalid = (detail: ReportedError['detail']): detail is readonly Invalid[] => typeof detail !== 'string';

const typeOf = (status: number): string => (status >= 500 ? 'server_error' : 'invalid_request_error');

const statusOf = ({ status, code, detail }: ReportedError): number =>
  forms[code]?.status ?? (isInvalid(detail) ? invalidStatus : status);

/** The codes for mistakes in a request, by the kinds of `spec 1.3`. */
function codeOf({ type }: Invalid): string {
  if (type === 'missing') return 'missing_required_parameter';
  if (type === 'unsupported_value') return type;
  if (type === 'json_invalid') return 'invalid_json';
  return type.endsWith('_type') ? 'invalid_type' : 'invalid_value';
}

/** `messages[2].content[0].type`, or the name of a header; null for the whole body. */
function toParam([source, ...path]: Invalid['loc'], code: string): string | null {
  if (code === 'invalid_json' || path.length === 0) return null;
  if (source === 'header') return path.join('.');
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index > 0 ? `.${key}` : key)).join('');
}

/** The first mistake of a request. */
function invalidBody([item]: readonly [Invalid], reported: ErrorCode) {
  const code = reported === 'idempotency_key_reused' ? reported : codeOf(item);
  const param = toParam(item.loc, code);
  const message = param === null ? item.msg : `${item.msg}: ${param}`;
  return { message, type: typeOf(invalidStatus), param, code };
}

/** Codex and other clients read from these words how long to wait. `spec 17.23` */
const whenToRetry = ({ retryAfterMs = 0 }: ReportedError): string =>
  `. Please try again in ${Math.max(1, Math.ceil(retryAfterMs / 1_000))}s`;

/** The error in the form of OpenAI, also for the event of a stream. */
export function openAiError(error: ReportedError) {
  const { code, detail, figures } = error;
  if (isInvalid(detail)) return invalidBody(detail as [Invalid], code);
  const form = forms[code];
  const message = form?.message ?? detail;
  return {
    message: form?.type === 'rate_limit_error' ? message + whenToRetry(error) : message,
    type: form?.type ?? typeOf(statusOf(error)),
    param: typeof figures?.param === 'string' ? figures.param : null,
    code: form?.code === undefined ? code : form.code,
  };
}

/** The names of `teamLimitHeaders`. */
export const teamLimitNames: readonly string[] = ['requests', 'tokens'].flatMap((name) =>
  ['limit', 'remaining', 'reset'].map((figure) => `x-ratelimit-${figure}-${name}`),
);

/** The headers of both limits of a team in the form of OpenAI. `spec 17.19` */
export const teamLimitHeaders = ({ calls, tokens }: TeamLimits): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ requests: calls, tokens }).flatMap(([name, { limit, remaining, resetMs }]) => [
      [`x-ratelimit-limit-${name}`, String(limit)],
      [`x-ratelimit-remaining-${name}`, String(remaining)],
      [`x-ratelimit-reset-${name}`, `${Math.ceil(resetMs / 1_000)}s`],
    ]),
  );

/** A repetition cannot succeed. Clients of Anthropic and some of OpenAI repeat these otherwise. `spec 17.23` */
const final: ReadonlySet<number> = new Set([401, 402, 403, 404]);

function errorHeaders(error: ReportedError): Record<string, string> {
  const { status, code, retryAfterMs, teamLimits } = error;
  return {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterMs !== undefined && { 'retry-after-ms': String(Math.ceil(retryAfterMs)) }),
    ...(teamLimits && teamLimitHeaders(teamLimits)),
    ...(final.has(statusOf(error)) && neverRetry),
    ...forms[code]?.headers,
  };
}

const ErrorObject = z.object({
  message: z.string().describe('What is wrong, for people. Its wording may change'),
  type: z.string().describe('The kind of error, such as `invalid_request_error`, `rate_limit_error` or `server_error`'),
  param: z
    .string()
    .nullable()
    .describe(
      'Where the first mistake of the request is, such as `messages[2].content[0].type`, or the header; else null',
    ),
  code: z.string().nullable().describe('What is wrong, for programs'),
});

const OpenAiError = z.object({ error: ErrorObject.describe('The error') }).meta({ id: 'OpenAiError' });

/** The routes under `/v1`. `spec 17.22` */
export const openAiSurface: Surface = {
  prefix: '/v1/',
  errorStatus: statusOf,
  errorBody: (error) => ({ error: openAiError(error) }),
  errorHeaders,
  isStored: ({ status, code }: StorableReply) => status === 200 || (code !== undefined && outcomes.has(code)),
  storedErrorHeaders: neverRetry,
  docs: {
    description,
    tags,
    errorSchemas: { refused: OpenAiError, invalid: OpenAiError },
    invalidExample: [{ loc: ['body', 'messages'], msg: 'Field required', type: 'missing' }],
  },
};
