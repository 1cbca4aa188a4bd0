import type { TokenUsage } from '../../domain/pricing.ts';

/** The tokens of a call in the form of Anthropic: the first three make the prompt. `spec 28.11` */
export interface MessageUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

export function toMessageUsage(usage: TokenUsage): MessageUsage {
  const {
    promptTokens,
    completionTokens,
    cachedTokens = 0,
    cacheWriteTokens = 0,
  } = usage as TokenUsage & {
    cacheWriteTokens?: number;
  };
  const cached = Math.min(cachedTokens, promptTokens);
  const written = Math.min(cacheWriteTokens, promptTokens - cached);
  return {
    input_tokens: promptTokens - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: completionTokens,
  };
}

/** What a stream begins with: the prompt as it is estimated. */
export const estimatedUsage = (inputTokens: number): MessageUsage => ({
  input_tokens: inputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
});
