import type { Message } from '../domain/chat-message.ts';
import { noTokens, type TokenUsage } from '../domain/pricing.ts';

/** What has been received so far. It is updated while the response is read, so that an incomplete answer can be recorded too. */
export interface CompletionResult {
  message: Message;
  modelUsed: string | undefined;
  finishReason: string | undefined;
  usage: TokenUsage;
  /** Exact decimal, USD; undefined when the upstream reported none. */
  reportedCostUsd: string | undefined;
}

export const emptyCompletion = (): CompletionResult => ({
  message: { content: '' },
  modelUsed: undefined,
  finishReason: undefined,
  usage: noTokens,
  reportedCostUsd: undefined,
});
