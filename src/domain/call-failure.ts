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
