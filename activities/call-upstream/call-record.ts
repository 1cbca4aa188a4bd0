import type { FinishedCall } from '../../src/db/calls/finish-call.ts';
import type { CallToExecute } from '../../src/db/calls/start-call.ts';
import type { CallResult } from '../../src/domain/call-result.ts';
import { hasToolCalls, isEmptyMessage, type Message } from '../../src/domain/chat-message.ts';
import { sumUsd } from '../../src/domain/pricing.ts';
import { uncountedTokens } from '../../src/domain/token-estimate.ts';
import { describeVectors } from './describe-vectors.ts';
import type { KeptTexts } from './kept-request.ts';
import type { ModelOutcome } from './try-models.ts';

/**
 * The message as it is recorded; null when it is empty. Of vectors what is kept for ever comes first, so that maintenance cuts the rest
 * off: `delete-vectors.ts`.
 */
function storedAnswer(message: Message): string | null {
  if (isEmptyMessage(message)) return null;
  const { embeddings } = message;
  return JSON.stringify(embeddings ? { ...describeVectors(embeddings), ...message } : message);
}

/** What the attempt that ends the call records. */
export function toFinishedCall(
  call: CallToExecute,
  workerAttempt: number,
  { answer, attempts, error, failure, contextFigures, estimatedCostUsd = '0' }: ModelOutcome,
  latencyMs: number,
  kept: KeptTexts,
): FinishedCall {
  const { usage, message } = answer;
  return {
    call_id: call.call_id,
    worker_attempt: workerAttempt,
    status: error === null ? 'succeeded' : 'failed',
    asynchronous: call.asynchronous,
    model_used: answer.modelUsed ?? null,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
    cached_tokens: usage.cachedTokens ?? null,
    cache_write_tokens: usage.cacheWriteTokens ?? null,
    reasoning_tokens: usage.reasoningTokens ?? null,
    cost_usd: sumUsd(attempts.map((one) => one.cost_usd)),
    estimated_cost_usd: estimatedCostUsd,
    latency_ms: latencyMs,
    finish_reason: error === null ? (answer.finishReason ?? 'stop') : null,
    has_tool_calls: error === null && hasToolCalls(message),
    error,
    failure,
    context_figures: contextFigures ? JSON.stringify(contextFigures) : null,
    attempts,
    tokens_unknown: attempts.some(({ unknown }) => unknown.tokens),
    cost_unknown: attempts.some(({ unknown }) => unknown.cost),
    response: storedAnswer(message),
    ...kept,
  };
}

/** What the attempt that ends the call publishes. `isShown`: its readers have the message already. */
export function toCallResult(
  { answer, error, failure, contextFigures }: ModelOutcome,
  latencyMs: number,
  { isShown }: { isShown: boolean },
): CallResult {
  const { usage, message } = answer;
  const uncounted = uncountedTokens(usage, message);
  if (error !== null)
    return {
      status: 'failed',
      error,
      ...(failure && { failure }),
      ...(contextFigures && { contextFigures }),
      usage,
      uncounted,
    };
  const finishReason = answer.finishReason ?? 'stop';
  const calls = hasToolCalls(message) && { hasToolCalls: true };
  const { stopSequence } = message;
  return {
    status: 'succeeded',
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    usage,
    uncounted,
    latencyMs,
    ...calls,
    ...(!isShown && { message }),
  };
}
