/** Why a model did not answer, as far as it matters to the client. `spec 17.24` */
export const callFailures = [
  /** The prompt, with the requested answer, is longer than the model's context. */
  'context_length',
  'content_policy',
  /** The request was refused for another reason. */
  'rejected',
  /** The installation's credential or model is wrong. */
  'misconfigured',
  /** A budget is spent: of the team, the proxy or the provider. */
  'over_budget',
  'rate_limited',
  'timeout',
  /** Everything else: the upstream failed, or could not be reached or understood. */
  'error',
] as const;
export type CallFailure = (typeof callFailures)[number];

/** Why a request to a model failed, for programs. Absent where it did not. `spec 19.72` */
export interface AttemptFailure {
  failure?: CallFailure;
  /** The HTTP status of the answer. */
  status_code?: number | undefined;
  /** The code that the provider gave, or that of a connection that failed. */
  error_code?: string | undefined;
}

/** The kinds of errors that are counted. `interrupted`: the worker, or what it waited for, was lost. A cancelled call is no error. */
export const errorKinds = [...callFailures, 'interrupted'] as const;
export type ErrorKind = (typeof errorKinds)[number];
