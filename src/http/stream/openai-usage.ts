import type { ChatUsage } from '../../contracts/openai/chat-response.ts';
import type { TokenUsage } from '../../domain/pricing.ts';

/** The usage in the form of OpenAI. Details are there where the upstream reported them. */
export const usageOf = (usage: TokenUsage): ChatUsage => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.totalTokens,
  ...(usage.cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: usage.cachedTokens } }),
  ...(usage.reasoningTokens !== undefined && {
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }),
});
