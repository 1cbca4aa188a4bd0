import type { AttemptFailure, CallFailure } from '../domain/call-failure.ts';
import type { ContextFigures } from '../domain/context-figures.ts';
import type { OptionalField } from '../domain/optional-fields.ts';
import {
  budgetOf,
  classifyRefusal,
  isAboutModel,
  isRefusalOfTeam,
  type KnownRefusal,
  optionalFieldsNamed,
} from './classify-refusal.ts';
import { connectionCode } from './connection-code.ts';
import { readContextFigures } from './read-context-figures.ts';

/** What identifies a failure for the operator: words of a program, never text of a request or an answer. */
export interface FailureDetails {
  /** The status of the response, or the one that an error in it stands for. */
  status?: number | undefined;
  /** The code of a connection that failed, such as ECONNREFUSED. */
  connection?: string | undefined;
  /** The fields `type` and `code` of the upstream's error. */
  type?: string | undefined;
  code?: string | undefined;
}

/**
 * Why a request to a model failed. Clients see the message: it never contains a URL, a key, the name of a model or text from
 * the upstream. `spec 4.3`
 */
export class UpstreamError extends Error {
  /** The next model may be tried: `spec 4.2`. */
  readonly mayFallBack: boolean;
  readonly failure: CallFailure;
  readonly details: FailureDetails;
  /** What LiteLLM has of the team refuses the request, and not a model: it may be out of date there. `spec 8.10` */
  readonly isOfTeam: boolean;
  /** The model may have worked on the request, and nobody knows what that took. `spec 23.8` */
  readonly isCutOff: boolean;

  /** Optional fields of the request that the refusal of it mentions. */
  readonly namedFields: readonly OptionalField[];
  /** Of a prompt that is too long: what the refusal names. */
  readonly contextFigures: ContextFigures | undefined;
  /** The request was refused for optional fields, and the next one to the same model will be without them. `spec 31.5` */
  mayAskWithout = false;

  constructor(reason: string, mayFallBack: boolean, options: FailureOptions = {}) {
    const { failure = 'error', details = {}, isOfTeam = false, isCutOff = failure === 'timeout', ...rest } = options;
    const { namedFields = [], contextFigures, ...cause } = rest;
    super(reason, cause);
    this.name = 'UpstreamError';
    this.mayFallBack = mayFallBack;
    this.failure = failure;
    this.details = details;
    this.isOfTeam = isOfTeam;
    this.isCutOff = isCutOff;
    this.namedFields = namedFields;
    this.contextFigures = contextFigures;
  }

  /** The message with the status or the code of the connection, for the record of the attempt. */
  get reason(): string {
    const { status, connection } = this.details;
    const shown = connection ?? status;
    return shown === undefined || this.message.includes(String(shown)) ? this.message : `${this.message} (${shown})`;
  }
}

/** What the record of the attempt has for programs: the code that the provider gave, unless it only repeats the status, or that of the connection. */
export function recordedFailure({ failure, details }: UpstreamError): AttemptFailure {
  const { status, connection, code, type } = details;
  const given = [code, type].find((word) => word !== undefined && word !== String(status) && !/^none$/i.test(word));
  return { failure, status_code: status, error_code: given ?? connection };
}

interface FailureOptions extends ErrorOptions {
  failure?: CallFailure;
  details?: FailureDetails;
  isOfTeam?: boolean;
  /** Default: whether the failure is a timeout. */
  isCutOff?: boolean;
  namedFields?: OptionalField[];
  contextFigures?: ContextFigures | undefined;
}

const reasons: Record<number, string> = {
  400: 'the upstream rejected the request',
  401: 'the upstream rejected its credential',
  403: 'the upstream denied access',
  404: 'the upstream does not know the model',
  405: 'the upstream does not serve such requests at this address',
  408: 'the upstream timed out',
  409: 'the upstream reported a conflict',
  413: 'the request is too large for the upstream',
  422: 'the upstream rejected the request',
  429: 'the upstream is rate limited',
};

const reasonOfRefusal = {
  context_length: "the prompt is longer than the model's context",
  content_policy: 'the content policy of the upstream does not allow the request',
  over_budget: 'a budget at the upstream is spent',
  misconfigured: 'the upstream does not know the model',
};

const failures: Record<number, CallFailure> = {
  400: 'rejected',
  402: 'over_budget',
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
const refusingStatuses: ReadonlySet<number> = new Set([400, 413, 422]);
/** OpenRouter refuses a prompt that its moderation flags with 403, which is otherwise a mistake of the installation. */
const policyStatuses: ReadonlySet<number> = new Set([...refusingStatuses, 403]);
/** The statuses with which a budget that is spent is refused, by LiteLLM's versions and by providers. */
const budgetStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 422, 429]);

/** Why an error of this status was sent, as far as its body tells it. */
function refusalIn(status: number, error: unknown): KnownRefusal | undefined {
  const refusal = classifyRefusal(error);
  if (refusal === undefined) return undefined;
  const statuses =
    refusal === 'over_budget' ? budgetStatuses : refusal === 'content_policy' ? policyStatuses : refusingStatuses;
  return statuses.has(status) ? refusal : undefined;
}

/** A word of a program, such as `token_not_found_in_db`. Anything else may be text. */
const wordIn = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && /^[\w.-]{1,64}$/.test(String(value))
    ? String(value)
    : undefined;

function detailsIn(error: unknown): FailureDetails {
  const fields = (error ?? {}) as { error?: unknown; type?: unknown; code?: unknown };
  const { type, code } = (
    typeof fields.error === 'object' && fields.error !== null ? fields.error : fields
  ) as typeof fields;
  return { type: wordIn(type), code: wordIn(code) };
}

const figuresIn = (refusal: KnownRefusal, error: unknown): ContextFigures | undefined =>
  refusal === 'context_length' ? readContextFigures(error) : undefined;

/** `error`: the body of the response. */
export function statusError(status: number, error?: unknown): UpstreamError {
  const mayFallBack = status >= 500 || transientStatuses.has(status);
  const refusal = refusalIn(status, error);
  const details = { ...detailsIn(error), status };
  const isOfTeam = isRefusalOfTeam(status, details.type, error);
  if (refusal) {
    const owner = refusal === 'over_budget' ? budgetOf(error) : undefined;
    // Another model may have another provider, whose budget is not spent. Any other budget is that of every model.
    const mayOther = refusal === 'over_budget' ? owner === 'model' : mayFallBack;
    return new UpstreamError(reasonOfRefusal[refusal], mayOther, {
      failure: refusal,
      details,
      isOfTeam: owner === 'team',
      contextFigures: figuresIn(refusal, error),
    });
  }
  const isOfAddress = status === 404 && error !== undefined && !isAboutModel(error);
  const reason = reasons[isOfAddress ? 405 : status] ?? `the upstream answered with status ${status}`;
  const failure = failureOf(status);
  const namedFields = failure === 'rejected' ? optionalFieldsNamed(error) : [];
  return new UpstreamError(reason, mayFallBack, { failure, details, isOfTeam, namedFields });
}

/** An error in the body of a response with status 200, as in a stream. LiteLLM's `code` is the status that the error stands for. */
export function reportedError(error: unknown): UpstreamError {
  const { code } = (error ?? {}) as { code?: unknown };
  // Converting other types, above all objects, may throw.
  const status = typeof code === 'number' || typeof code === 'string' ? Number(code) : Number.NaN;
  if (Number.isInteger(status) && status >= 400 && status <= 599) return statusError(status, error);
  const refusal = classifyRefusal(error);
  const details = detailsIn(error);
  if (refusal) {
    const contextFigures = figuresIn(refusal, error);
    return new UpstreamError(reasonOfRefusal[refusal], true, { failure: refusal, details, contextFigures });
  }
  return new UpstreamError('the upstream reported an error', true, { details });
}

export const timedOut = (details: FailureDetails = {}) =>
  new UpstreamError('the upstream timed out', true, { failure: 'timeout', details });
/** No connection was opened, so that no model has the request. */
export const notConnected = (details: FailureDetails) =>
  new UpstreamError('the upstream timed out', true, { failure: 'timeout', details, isCutOff: false });
/** Codes of a connection that was open: the request may have arrived. */
const lostConnections: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
export function unreachable(cause: unknown): UpstreamError {
  const connection = connectionCode(cause);
  const isCutOff = lostConnections.has(connection);
  return new UpstreamError('the upstream could not be reached', true, { cause, details: { connection }, isCutOff });
}
export const unreadable = () => new UpstreamError('the upstream sent an unreadable answer', true, { isCutOff: true });
/** A page in HTML is what a web server sends at an address that is not the one of the model's API. */
export const webPage = () =>
  new UpstreamError('the upstream answered with a web page', true, { failure: 'misconfigured' });
export const brokeOff = (cause: unknown) =>
  new UpstreamError('the upstream broke off its answer', true, {
    cause,
    details: { connection: connectionCode(cause) },
    isCutOff: true,
  });
export const endedEarly = () =>
  new UpstreamError('the upstream ended the stream without a finish reason', true, { isCutOff: true });
export const unfinished = () => new UpstreamError('the upstream could not finish its answer', true);
