/** The test account with which the playground makes its calls. `spec 32.1` */
export const testAccount = {
  organizationId: 'gateway-playground',
  teamId: 'gateway-playground',
  name: 'Playground',
  /** What it begins with. More is allocated as to any other team. */
  credits: 100,
  callsPerMinute: 20,
  /** Of one call, where the price of the model is known. */
  maxCostUsd: 1,
  /** Of one call, prompt and answer. */
  maxTokens: 200_000,
} as const;

/** Of an answer, where a request has no limit of its own. */
export const defaultMaxTokens = 1_024;

export const playgroundJobType = 'playground';
