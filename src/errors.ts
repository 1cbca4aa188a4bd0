/** `retryAfter`: seconds after which the request can be repeated. */
const refusal = <P extends unknown[]>(status: number, detail: (...parameters: P) => string, retryAfter?: number) => ({
  status,
  detail,
  retryAfter,
});

/**
 * The one table of refusals. A refusal is an answer: HTTP sends it, OpenAPI lists it, Temporal does not retry it. Its key is the `code`
 * of the answer, which clients depend on: it is never renamed: decision 105. `spec 1.3`
 * An outage is not in here: it is an exception (`Unavailable`) and is retried.
 */
export const refusals = {
  request_malformed: refusal(400, () => 'Malformed request'),
  host_not_served: refusal(
    421,
    () => 'Misdirected request: this host name is not served. The setting ALLOWED_HOSTS adds names',
  ),
  path_not_found: refusal(404, (advice = '') => (advice ? `Not Found: ${advice}` : 'Not Found')),
  method_not_allowed: refusal(405, (allowed = '') =>
    allowed ? `Method Not Allowed: this path takes ${allowed}` : 'Method Not Allowed',
  ),
  body_too_large: refusal(413, () => 'Request body too large'),
  body_not_readable: refusal(415, (what: string) => `Unsupported ${what}`),
  headers_too_large: refusal(431, () => 'Request header fields too large'),
  request_timeout: refusal(408, () => 'Request timed out'),

  key_missing: refusal(401, () => 'Missing API key'),
  key_invalid: refusal(401, () => 'Invalid API key'),
  admin_key_missing: refusal(401, () => 'Missing admin credential'),
  admin_key_invalid: refusal(401, () => 'Invalid admin credential'),
  session_missing: refusal(401, () => 'Missing access token'),
  session_invalid: refusal(401, () => 'Invalid or expired access token'),
  session_ended: refusal(401, () => 'The session has ended: sign in again'),
  cross_site_request: refusal(403, () => 'The request was not sent by a page of this service'),
  session_read_only: refusal(403, () => "A team's session cannot do this: it needs the team's virtual key"),
  session_not_found: refusal(404, (id: string) => `Session '${id}' not found`),
  login_failed: refusal(401, () => 'Invalid email or password'),
  second_factor_required: refusal(401, () => 'A code of the second factor is needed'),
  second_factor_wrong: refusal(401, () => 'Invalid code of the second factor'),
  oidc_off: refusal(404, () => 'Sign-in by OpenID Connect is not configured'),
  oidc_failed: refusal(401, () => 'The sign-in was not completed by this browser in time'),
  oidc_denied: refusal(403, () => 'The identity provider has refused the sign-in'),
  oidc_no_role: refusal(403, () => 'The identity provider gives this account no role here'),
  oidc_no_email: refusal(403, () => 'The identity provider names no valid e-mail for this account'),
  oidc_email_taken: refusal(403, () => 'Another account has the e-mail that the identity provider names'),
  oidc_unavailable: refusal(503, () => 'The identity provider does not answer', 1),
  account_inactive: refusal(403, () => 'Account is inactive'),
  role_insufficient: refusal(403, () => 'Insufficient permissions'),
  concrete_models_hidden: refusal(
    403,
    () => 'A team does not see concrete models and codes of providers: filter by model group',
  ),
  team_key_needed: refusal(403, () => "This operation needs the team's virtual key"),
  team_view_not_open: refusal(
    403,
    (teamId: string) => `Team '${teamId}' is not viewed in this session: open the view again`,
  ),
  team_view_read_only: refusal(403, () => 'The view of a team is read-only: leave it to change anything'),
  team_suspended: refusal(403, (teamId: string) => `Team '${teamId}' is suspended`),
  key_of_another_team: refusal(403, (teamId: string) => `API key does not belong to team '${teamId}'`),
  key_of_another_organization: refusal(403, (id: string) => `API key does not belong to organization '${id}'`),

  organization_not_found: refusal(404, (id: string) => `Organization '${id}' not found`),
  organization_exists: refusal(400, (id: string) => `Organization '${id}' already exists`),
  organization_not_active: refusal(400, (id: string) => `Organization '${id}' is not active`),
  team_not_found: refusal(404, (id: string) => `Team '${id}' not found`),
  team_exists: refusal(400, (id: string) => `Team '${id}' already exists`),
  proxy_team_exists: refusal(400, (id: string) => `Upstream team '${id}' belongs to another team`),
  team_has_no_key: refusal(500, (id: string) => `Team '${id}' has no virtual key`),
  upstream_registration_failed: refusal(500, (why: string) => `Upstream registration failed: ${why}`),
  key_not_found: refusal(404, (id: string) => `Key '${id}' not found`),
  key_exists: refusal(400, (name: string) => `Key '${name}' already exists`),
  keys_at_most: refusal(400, (teamId: string, most: string) => `Team '${teamId}' already has ${most} keys`),
  budget_invalid: refusal(400, (why: string) => why),

  view_exists: refusal(400, (name: string) => `View '${name}' already exists, or there are 200 views`),
  view_not_found: refusal(404, (id: string) => `View '${id}' not found`),
  price_not_found: refusal(404, (type: string) => `Price of job type '${type}' not found`),

  model_group_not_found: refusal(404, (name: string) => `Model group '${name}' not found`),
  model_group_exists: refusal(400, (name: string) => `Model group '${name}' already exists`),
  model_group_assigned: refusal(400, (name: string) => `Model group '${name}' is assigned to a team`),
  model_alias_not_found: refusal(404, (name: string) => `Model alias '${name}' not found`),
  model_alias_exists: refusal(400, (name: string) => `Model alias '${name}' already exists`),
  access_group_not_found: refusal(404, (name: string) => `Model access group '${name}' not found`),
  access_group_exists: refusal(400, (name: string) => `Model access group '${name}' already exists`),
  model_group_denied: refusal(
    403,
    (teamId: string, name: string) => `Team '${teamId}' does not have access to model group '${name}'`,
  ),
  model_group_unusable: refusal(403, (name: string) => `Model group '${name}' not found or inactive`),
  model_group_empty: refusal(403, (name: string) => `No active models configured for group '${name}'`),

  job_not_found: refusal(404, (id: string) => `Job '${id}' not found`),
  job_of_another_team: refusal(403, () => 'Job does not belong to your team'),
  job_finished: refusal(409, (status: string) => `Job is already ${status}`),
  job_open: refusal(409, (status: string) => `Job is still ${status}`),
  job_required: refusal(
    400,
    () => "The team's calls have to name their job or their task, for example with the header X-External-Task-Id",
  ),
  call_not_found: refusal(404, (id: string) => `Call '${id}' not found`),
  response_not_found: refusal(404, (id: string) => `Response '${id}' not found`),
  item_not_found: refusal(404, (id: string) => `Item '${id}' not found`),
  previous_response_not_ready: refusal(400, (status: string) => `The previous response is ${status}`),
  response_in_progress: refusal(400, () => 'The response is still being made'),
  response_not_in_background: refusal(400, () => 'Only a response that is made in the background can be cancelled'),
  payload_deleted: refusal(410, () => 'Call payload is no longer stored'),
  payloads_hidden: refusal(403, () => 'Admins may not read requests and responses here'),
  insufficient_credits: refusal(403, () => 'Insufficient credits'),
  key_limit_reached: refusal(403, () => 'Key limit reached'),
  price_unknown: refusal(403, (name: string) => `No price known for model group '${name}'`),
  job_budget_reached: refusal(402, (cap: string) => `Job budget reached: ${cap}`),
  job_budget_held: refusal(429, (cap: string) => `Job budget is held by calls under way: ${cap}`, 1),
  job_deadline_exceeded: refusal(409, () => 'Job deadline exceeded'),
  call_failed: refusal(500, (reason: string) => `LLM call failed: ${reason}`),
  call_ended: refusal(400, (status: string) => `Job is already ${status}`),
  context_length_exceeded: refusal(
    400,
    () =>
      "This model's maximum context length is exceeded: the prompt is too long, or it exceeds the context window together " +
      'with the requested answer. Shorten the messages, or request a shorter answer',
  ),
  content_policy_violation: refusal(400, () => 'The content policy of the model does not allow this request'),
  upstream_rejected: refusal(400, () => 'The model rejected the request as invalid'),
  upstream_over_budget: refusal(500, () => 'A budget of the operator is spent: the operator has to raise it'),
  upstream_misconfigured: refusal(500, () => 'The model is not configured correctly: the operator has to correct it'),
  upstream_error: refusal(502, (reason: string) => `The call failed: ${reason}`),
  upstream_timeout: refusal(504, () => 'The model did not answer in time'),
  upstream_rate_limited: refusal(503, () => 'The model is rate limited', 5),
  model_not_found: refusal(
    404,
    (name: string) => `The model '${name}' does not exist, or your key has no access to it`,
  ),
  thread_not_found: refusal(404, (id: string) => `Message '${id}' cannot be continued: send the whole conversation`),
  thread_field_not_allowed: refusal(
    400,
    (field: string) => `'${field}' is that of the thread, and cannot be sent with a message that continues it`,
  ),
  no_deduction: refusal(409, () => 'Job has no deduction to refund'),
  already_refunded: refusal(409, () => 'Job is already refunded'),

  rate_limited: refusal(429, () => 'Rate limit exceeded'),
  too_many_logins: refusal(429, () => 'Too many failed logins'),
  request_in_progress: refusal(409, () => 'A request with this Idempotency-Key is in progress', 1),

  setup_off: refusal(403, () => 'Set-up is switched off'),
  setup_completed: refusal(400, () => 'Setup already completed'),
  email_registered: refusal(400, () => 'Email already registered'),
  user_not_found: refusal(404, (id: string) => `User '${id}' not found`),
  cannot_delete_self: refusal(400, () => 'Cannot delete yourself'),
  last_owner: refusal(400, () => 'The last active owner cannot leave, nor be demoted or deactivated'),
  invitation_invalid: refusal(401, () => 'The invitation was used or withdrawn, has expired, or never existed'),
  invitation_not_found: refusal(404, (id: string) => `Invitation '${id}' not found`),
  invitations_at_most: refusal(400, (most: string) => `There are already ${most} invitations: withdraw some first`),
  email_invited: refusal(400, (email: string) => `'${email}' is already invited: renew or withdraw that invitation`),
  password_wrong: refusal(400, () => 'Invalid current password'),
  no_password: refusal(400, () => 'The account signs in by OpenID Connect and has no password'),
  code_wrong: refusal(400, () => 'Invalid code'),
  second_factor_on: refusal(409, () => 'The second factor is already on: switch it off first'),
  second_factor_off: refusal(409, () => 'The second factor is off'),
  second_factor_not_started: refusal(409, () => 'There is no second factor to confirm: start again'),
  second_factor_own: refusal(400, () => 'Your own second factor is switched off with your password and a code'),

  webhook_not_found: refusal(404, (id: string) => `Webhook '${id}' not found`),
  webhooks_at_most: refusal(
    400,
    (teamId: string | null, most: string) =>
      `${teamId === null ? 'The installation' : `Team '${teamId}'`} already has ${most} webhooks, as many as MAX_WEBHOOKS_PER_TEAM allows`,
  ),
  delivery_not_found: refusal(404, (id: string) => `Delivery '${id}' not found`),
  webhook_of_another_team: refusal(403, () => 'Webhook does not belong to your team'),
  webhook_inactive: refusal(409, () => 'Webhook is inactive'),

  not_ready: refusal(503, (why: string) => `Not ready: ${why}`, 1),
  internal_error: refusal(500, () => 'Internal server error'),
  unavailable: refusal(503, () => 'Service temporarily unavailable', 1),
} as const;

export type RefusalCode = keyof typeof refusals;

/** How a call that was made can end without an answer. */
export const failuresOfCalls = [
  'call_ended',
  'context_length_exceeded',
  'content_policy_violation',
  'upstream_rejected',
  'upstream_misconfigured',
  'upstream_over_budget',
  'upstream_error',
  'upstream_timeout',
  'upstream_rate_limited',
] as const satisfies RefusalCode[];

/** The codes of a 422, whose detail is a list. */
export const invalidCodes = ['request_invalid', 'idempotency_key_reused'] as const;
export type ErrorCode = RefusalCode | (typeof invalidCodes)[number];
type DetailOf<C extends RefusalCode> = (typeof refusals)[C]['detail'];

/** The state of a limit in its current window. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** The time until the window ends and everything is available again. */
  resetMs: number;
}

/** The state of the two limits of a team in this minute. */
export interface TeamLimits<State = LimitState> {
  calls: State;
  tokens: State;
}

/** A limit when it refuses, with the time at which its window ends, in milliseconds since the epoch. */
export interface LimitAtRefusal {
  limit: number;
  remaining: number;
  resetsAt: number;
}

/** The limit that refuses. */
export interface RefusingLimit extends LimitAtRefusal {
  /** Which limit it is: one of a few words, for the metrics. */
  name: string;
  /** Both limits of the team of a call, whichever limit refuses. */
  team?: TeamLimits<LimitAtRefusal> | undefined;
}

export type Figures = Readonly<Record<string, string | number>>;

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The limit that refuses. */
  readonly limit: RefusingLimit | undefined;
  /** What the answer has beside its detail, where its form permits. */
  readonly figures: Figures | undefined;

  constructor(
    code: RefusalCode,
    detail: string,
    headers: Record<string, string> = {},
    limit?: RefusingLimit,
    figures?: Figures,
  ) {
    super(detail);
    this.limit = limit;
    this.figures = figures;
    this.name = 'Refusal';
    this.code = code;
    const { status, retryAfter } = refusals[code];
    this.status = status;
    this.headers = { ...(retryAfter ? { 'Retry-After': String(retryAfter) } : {}), ...headers };
  }

  with(headers: Record<string, string>): Refusal {
    return new Refusal(this.code, this.message, { ...this.headers, ...headers }, this.limit, this.figures);
  }
}

/** `throw refuse('job_not_found', jobId)`: the parameters are those of the sentence. */
export function refuse<C extends RefusalCode>(code: C, ...parameters: Parameters<DetailOf<C>>): Refusal {
  const detail = refusals[code].detail as (...all: string[]) => string;
  return new Refusal(code, detail(...(parameters as string[])));
}

/** A refusal of a part of a request: `input[1].id`. */
export const refuseAt = (param: string, { code, message, headers }: Refusal): Refusal =>
  new Refusal(code, message, headers, undefined, { param });

/** A refusal with figures, which its surface shows where its form has a place for them. */
export const refuseWith = (code: 'context_length_exceeded', figures: Figures): Refusal =>
  new Refusal(code, refuse(code).message, {}, undefined, figures);

/** The refusal of a cap, with its figures. */
export const refuseByCap = (code: 'job_budget_reached' | 'job_budget_held', cap: string, figures: Figures): Refusal =>
  new Refusal(code, refuse(code, cap).message, {}, undefined, { cap, ...figures });

export const atRefusal = ({ limit, remaining, resetMs }: LimitState): LimitAtRefusal => ({
  limit,
  remaining,
  resetsAt: Date.now() + resetMs,
});

/** A 429 with the state of the limit that refuses. `team`: of a call, both limits of its team. */
export const refuseByLimit = (
  code: 'rate_limited' | 'too_many_logins',
  state: LimitState,
  name: string,
  team?: TeamLimits,
): Refusal =>
  new Refusal(
    code,
    refuse(code).message,
    {},
    {
      name,
      ...atRefusal(state),
      team: team && { calls: atRefusal(team.calls), tokens: atRefusal(team.tokens) },
    },
  );

/** Some of the waiting work is done within that time. */
const boundRetryMs = 1_000;

/** A 429 of a bound on what is held at once: it names the bound and its figure. `spec 9.6` */
export function refuseByBound(name: string, limit: number, resetMs = boundRetryMs): Refusal {
  const state = { name, ...atRefusal({ limit, remaining: 0, resetMs }) };
  return new Refusal('rate_limited', `${refuse('rate_limited').message}: ${name} (${limit})`, {}, state);
}

/** One item of a 422 in the shape of FastAPI. `spec 1.3` */
export interface Invalid {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export class InvalidRequest extends Error {
  readonly items: Invalid[];
  readonly code: (typeof invalidCodes)[number];

  constructor(items: Invalid[], code: (typeof invalidCodes)[number] = 'request_invalid') {
    super('Invalid request');
    this.name = 'InvalidRequest';
    this.items = items;
    this.code = code;
  }
}

/** The Idempotency-Key of the request is that of another one. */
export function keyReused(): InvalidRequest {
  const msg = 'Idempotency-Key was used for a request with another body, or by a newer key';
  return new InvalidRequest(
    [{ loc: ['header', 'idempotency-key'], msg, type: 'value_error' }],
    'idempotency_key_reused',
  );
}

/** `throw invalid(['body', 'metadata'], 'at most 10 KB', 'value_error')` */
export const invalid = (loc: (string | number)[], msg: string, type = 'value_error'): InvalidRequest =>
  new InvalidRequest([{ loc, msg, type }]);

/** A dependency is unavailable or too slow. The cause is logged, and never sent to the client. */
export class Unavailable extends Error {
  constructor(dependency: string, options?: ErrorOptions) {
    super(`${dependency} is unavailable`, options);
    this.name = 'Unavailable';
  }
}

/** A process does not start, for a reason that an operator can remove. The message is one sentence with what to do; no stack is logged. */
export class CannotStart extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'CannotStart';
  }
}

/**
 * This process stops waiting for something that goes on and may be charged. There is no truthful answer: the connection is closed
 * without one, and the client finds the outcome by repeating the request or reading the job.
 */
export class OutcomeUnknown extends Error {
  constructor(options?: ErrorOptions) {
    super('the outcome is not known', options);
    this.name = 'OutcomeUnknown';
  }
}

/** A read of many rows was aborted. The database serves everything else. */
export class ReportTimedOut extends Unavailable {
  override message = 'database: report timed out';

  constructor(options?: ErrorOptions) {
    super('database', options);
    this.name = 'ReportTimedOut';
  }
}
