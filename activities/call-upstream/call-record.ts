import type { FinishedCall } from '../../src/db/calls/finish-call.ts';
import type { CallToExecute } from '../../src/db/calls/start-call.ts';
import type { CallOptions } from '../../src/domain/call-options.ts';
import type { CallResult } from '../../src/domain/call-result.ts';
import { hasToolCalls, isEmptyMessage } from '../../src/domain/chat-message.ts';
import { permittedFields } from '../../src/domain/extra-fields.ts';
import { parseExactJson } from '../../src/domain/formats/exact-json.ts';
import { sumOf } from '../../src/domain/pricing.ts';
import { uncountedTokens } from '../../src/domain/token-estimate.ts';
import { type Keeping, keptRequest, keptWithinDay } from './kept-request.ts';
import type { ModelOutcome } from './try-models.ts';

const parseObject = (text: string | null) => parseExactJson(text ?? '{}') as Record<string, unknown>;

/** What goes upstream, and what is read of the answer. */
export function requestOf({ request, options, extra_fields }: CallToExecute) {
  const { extra = {}, parts } = parseObject(options) as CallOptions;
  return { request: { ...permittedFields(extra, extra_fields ?? []), ...parseObject(request) }, parts };
}

/** The texts of the request as they are kept; null: as they are. */
function keptOf({ request, options }: CallToExecute, keeping: Keeping) {
  const kept = request === null ? null : keptWithinDay(keptRequest({ request, options }, keeping.keepBytes), keeping);
  return {
    kept_request: kept && kept.request !== request ? kept.request : null,
    kept_options: kept && kept.options !== options ? kept.options : null,
  };
}

/** What the attempt that ends the call records. */
export function toFinishedCall(
  call: CallToExecute,
  workerAttempt: number,
  { answer, attempts, error, failure }: ModelOutcome,
  latencyMs: number,
  keeping: Keeping,
): FinishedCall {
  const { usage, message } = answer;
  const response = isEmptyMessage(message) ? null : JSON.stringify(message);
  // An answer is kept for a day in any case, because a repetition of its request receives it.
  if (response !== null) keeping.count(Buffer.byteLength(response));
  return {
    call_id: call.call_id,
    worker_attempt: workerAttempt,
    status: error === null ? 'succeeded' : 'failed',
    model_used: answer.modelUsed ?? null,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
    cached_tokens: usage.cachedTokens ?? null,
    reasoning_tokens: usage.reasoningTokens ?? null,
    cost_usd: sumOf(attempts.map((one) => one.cost_usd)),
    latency_ms: latencyMs,
    finish_reason: error === null ? (answer.finishReason ?? 'stop') : null,
    has_tool_calls: error === null && hasToolCalls(message),
    error,
    failure,
    attempts,
    response,
    ...keptOf(call, keeping),
  };
}

/** What the attempt that ends the call publishes. The reader of a stream has the message already. */
export function toCallResult(
  { streamed }: CallToExecute,
  { answer, error, failure }: ModelOutcome,
  latencyMs: number,
): CallResult {
  const { usage, message } = answer;
  const uncounted = uncountedTokens(usage, message);
  if (error !== null) return { status: 'failed', error, ...(failure && { failure }), usage, uncounted };
  const finishReason = answer.finishReason ?? 'stop';
  const calls = hasToolCalls(message) && { hasToolCalls: true };
  return { status: 'succeeded', finishReason, usage, uncounted, latencyMs, ...calls, ...(!streamed && { message }) };
}
