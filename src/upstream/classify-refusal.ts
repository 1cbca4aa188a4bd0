import type { CallFailure } from '../domain/call-failure.ts';

type Refusal = Extract<CallFailure, 'context_length' | 'content_policy'>;

/** Codes, types and names of exceptions, in lower case, which nothing but an error of this kind contains. */
const marks: Record<Refusal, readonly string[]> = {
  context_length: ['context_length_exceeded', 'contextwindowexceedederror', 'exceed_context_size_error'],
  content_policy: [
    'content_policy_violation',
    'contentpolicyviolationerror',
    'responsibleaipolicyviolation',
    'content_filter',
    'data_inspection_failed',
  ],
};

/** The words of servers that send no code. */
const words: Record<Refusal, readonly string[]> = {
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
  ],
};

const kinds = ['context_length', 'content_policy'] as const;

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

/**
 * Why an upstream refused a request, from the code of its error or else from its words; undefined if neither is known. The words
 * are compared here and go no further.
 */
export function classifyRefusal(error: unknown): Refusal | undefined {
  const text = textsIn(error).join('\n').slice(0, maxCharacters).toLowerCase();
  const has = (known: readonly string[]) => known.some((one) => text.includes(one));
  return kinds.find((kind) => has(marks[kind])) ?? kinds.find((kind) => has(words[kind]));
}
