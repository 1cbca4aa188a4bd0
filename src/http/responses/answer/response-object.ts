import type { TokenUsage } from '../../../domain/pricing.ts';
import { responseId } from './item-ids.ts';

/** What a response shows of its request. It is stored with the call, so that each reader receives the same. `spec 29.11` */
export interface ResponseHead {
  /** Unix seconds. */
  created_at: number;
  background: boolean;
  instructions: unknown;
  max_output_tokens: unknown;
  metadata: unknown;
  model: string;
  parallel_tool_calls: boolean;
  previous_response_id: string | null;
  prompt_cache_key: string | null;
  reasoning: { effort: unknown; summary: unknown };
  store: boolean;
  temperature: unknown;
  text: object;
  tool_choice: unknown;
  tools: readonly unknown[];
  top_p: unknown;
  truncation: string;
  user: string | null;
}

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

export interface ResponseFailure {
  code: string;
  message: string;
}

/** What a response has beside its request. */
export interface ResponseState {
  status: ResponseStatus;
  output: readonly object[];
  usage?: TokenUsage | undefined;
  completedAt?: number | undefined;
  error?: ResponseFailure | undefined;
  incompleteReason?: string | undefined;
}

/** The usage in the form of Responses. `spec 29.20` */
const toResponseUsage = (usage: TokenUsage) => ({
  input_tokens: usage.promptTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
  },
  output_tokens: usage.completionTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.totalTokens,
});

/** A response with all of its fields. `spec 29.11` */
export const toResponse = (
  callId: string,
  { created_at, background, ...head }: ResponseHead,
  { status, output, usage, completedAt, error, incompleteReason }: ResponseState,
) => ({
  id: responseId(callId),
  object: 'response' as const,
  created_at,
  completed_at: completedAt ?? null,
  status,
  background,
  error: error ?? null,
  incomplete_details: incompleteReason ? { reason: incompleteReason } : null,
  ...head,
  output: [...output] as Record<string, unknown>[],
  usage: usage ? toResponseUsage(usage) : null,
});
export type ResponseObject = ReturnType<typeof toResponse>;
