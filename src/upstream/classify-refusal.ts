import type { CallFailure } from '../domain/call-failure.ts';
import { type OptionalField, optionalFieldsIn } from '../domain/optional-fields.ts';

export type KnownRefusal = Extract<CallFailure, 'context_length' | 'content_policy' | 'over_budget' | 'misconfigured'>;

/** Codes, types and names of exceptions, in lower case, which nothing but an error of this kind contains. */
const marks: Record<KnownRefusal, readonly string[]> = {
  context_length: ['context_length_exceeded', 'contextwindowexceedederror', 'exceed_context_size_error'],
  content_policy: [
    'content_policy_violation',
    'contentpolicyviolationerror',
    'responsibleaipolicyviolation',
    'content_filter',
    'data_inspection_failed',
  ],
  over_budget: [
    'budget_exceeded',
    'budgetexceedederror',
    'exceededbudget',
    'exceededtokenbudget',
    'insufficient_quota',
  ],
  misconfigured: [
    'model_not_found',
    'model_not_supported',
    'model_decommissioned',
    'invalid_model',
    'deploymentnotfound',
  ],
};

/** The words of servers that send no code. */
const words: Record<KnownRefusal, readonly string[]> = {
  context_length: [
    'maximum context length',
    'model maximum context',
    'context length',
    'context window',
    'available context size',
    'exceed context limit',
    'exceeds the context',
    'prompt is too long',
    'input is too long',
    'maximum prompt length',
    'exceeds the maximum number of tokens',
    'exceed the configured limit',
    'number of input tokens exceeds',
    'total number of tokens in the prompt cannot exceed',
    '`inputs` tokens + `max_new_tokens` must be',
    '`inputs` must have less than',
    'reduce the length of the messages',
    'reduce the length of your prompt',
  ],
  content_policy: [
    'content management policy',
    'content policy',
    'safety system',
    'usage policy',
    'usage policies',
    'inappropriate content',
    'requires moderation',
    'moderation policy',
    'guardrail policy',
  ],
  over_budget: [
    'budget has been exceeded',
    'budget exceeded',
    'exceeded budget for',
    'crossed budget',
    'insufficient balance',
    'insufficient credits',
    'exceeded your current quota',
    'credit balance is too low',
  ],
  misconfigured: [
    'invalid model name passed in',
    'is not a valid model id',
    'invalid model identifier',
    'model not exist',
    'llm provider not provided',
  ],
};

const kinds = ['context_length', 'content_policy', 'over_budget', 'misconfigured'] as const;

/** LiteLLM's budgets of a model, a deployment, a provider or a tag, and the account of a provider. */
const budgetsOfModel =
  /exceeded budget for|crossed budget|model access group=|insufficient_quota|insufficient balance|insufficient credits|current quota|credit balance/;

const fields = ['code', 'type', 'status', 'message', 'msg', 'detail', 'error', 'error_type', 'innererror'];
const maxDepth = 4;
/** The texts of a longer error are read up to here. */
const maxCharacters = 65_536;

/** The texts of an error, in whatever of the usual fields they are: LiteLLM, FastAPI, vLLM and Anthropic nest them differently. */
function textsIn(error: unknown, depth = 0): string[] {
  if (typeof error === 'string') return [error];
  if (typeof error !== 'object' || error === null || depth > maxDepth) return [];
  if (Array.isArray(error)) return error.flatMap((one) => textsIn(one, depth + 1));
  return fields.flatMap((field) => textsIn((error as Record<string, unknown>)[field], depth + 1));
}

/** LiteLLM's words for the budget of a team or its key. Older versions do not name whose budget it is. */
const budgetOfTeam = /has been exceeded! (?:team=|key=|current cost)/;

const textOf = (error: unknown): string => textsIn(error).join('\n').slice(0, maxCharacters).toLowerCase();

/**
 * Why an upstream refused a request, from the code of its error or else from its words; undefined if neither is known. The words
 * are compared here and go no further.
 */
export function classifyRefusal(error: unknown): KnownRefusal | undefined {
  const text = textOf(error);
  const has = (known: readonly string[]) => known.some((one) => text.includes(one));
  return kinds.find((kind) => has(marks[kind])) ?? kinds.find((kind) => has(words[kind]));
}

/** The optional fields that an error mentions, in its words or as the place of a mistake. */
export const optionalFieldsNamed = (error: unknown): OptionalField[] =>
  optionalFieldsIn((JSON.stringify(error) ?? '').slice(0, maxCharacters).toLowerCase());

/** Whose budget is spent: that of one model, deployment or provider, or that of the team at LiteLLM; undefined for any other. */
export function budgetOf(error: unknown): 'model' | 'team' | undefined {
  const text = textOf(error);
  if (budgetsOfModel.test(text)) return 'model';
  return budgetOfTeam.test(text) ? 'team' : undefined;
}

/** LiteLLM's types for a key that it does not have or that has expired there, and for models that a team or key may not use there. */
const typesOfTeam: ReadonlySet<string | undefined> = new Set([
  'token_not_found_in_db',
  'expired_key',
  'team_model_access_denied',
  'key_model_access_denied',
]);
/** The words of versions that have no such type. */
const wordsOfTeam = ['invalid proxy server token', 'unable to find token in', 'expired key'];

/** Whether a 404 is about a model. Where no API is served at all, the answer does not mention one. */
export const isAboutModel = (error: unknown): boolean => textOf(error).includes('model');

/**
 * Whether LiteLLM refuses a request because of what it has, or lacks, of the team and its key. What a person has blocked there is not
 * meant: it stays blocked. A provider that refuses LiteLLM's own credential is not meant either.
 */
export function isRefusalOfTeam(status: number, type: string | undefined, error: unknown): boolean {
  if (status !== 401 && status !== 403) return false;
  if (typesOfTeam.has(type)) return true;
  const text = textOf(error);
  return status === 401 && wordsOfTeam.some((one) => text.includes(one));
}
