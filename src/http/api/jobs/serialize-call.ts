import type { z } from 'zod';
import type { CallRecord, PayloadPart } from '../../../contracts/job-calls.ts';
import type { CallAttempt } from '../../../contracts/jobs.ts';
import type { AttemptRow } from '../../../db/calls/list-attempts.ts';
import type { CallRow } from '../../../db/calls/list-call-costs.ts';
import type { PayloadRow } from '../../../db/calls/read-payload.ts';
import { callErrorCode } from '../../../domain/call-error-code.ts';
import type { Message } from '../../../domain/chat-message.ts';
import { parseExactJson } from '../../../domain/formats/exact-json.ts';
import { sumUsd } from '../../../domain/pricing.ts';
import type { CallWithAttempts } from '../../../services/calls/list-job-calls.ts';

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Of an aborted attempt of which nothing was reported, tokens and cost are the estimate. */
const serializeAttempt = (attempt: AttemptRow): z.input<typeof CallAttempt> => {
  const isEstimated = attempt.estimated_cost_usd !== null;
  return {
    attempt_number: attempt.attempt_number,
    model: attempt.model,
    outcome: attempt.outcome,
    error: attempt.error,
    latency_ms: attempt.latency_ms,
    prompt_tokens: attempt.estimated_prompt_tokens ?? attempt.prompt_tokens,
    completion_tokens: attempt.estimated_completion_tokens ?? attempt.completion_tokens,
    cost_usd: Number(attempt.estimated_cost_usd ?? attempt.cost_usd),
    ...(isEstimated && { estimated: true as const }),
    created_at: attempt.created_at.toISOString(),
  };
};

/** What only an admin sees of a call: its concrete models, its attempts, and what is estimated of them, which its cost has not. */
export function forAdmins({ resolved_model, model_used }: CallRow, attempts: readonly AttemptRow[]) {
  const estimates = attempts.flatMap(({ estimated_cost_usd }) => estimated_cost_usd ?? []);
  return {
    resolved_model,
    model_used,
    attempts: attempts.map(serializeAttempt),
    ...(estimates.length > 0 && { estimated: true as const, estimated_cost_usd: Number(sumUsd(estimates)) }),
  };
}

/** The concrete models and the attempts are there for admins. */
export const serializeCall = ({ call, attempts }: CallWithAttempts): z.input<typeof CallRecord> => ({
  call_id: call.call_id,
  position: call.position_in_job,
  purpose: call.purpose,
  agent: call.agent,
  request_id: call.request_id,
  requested_model: call.requested_model,
  model_group: call.model_group_used,
  status: call.status,
  streamed: call.streamed,
  created_at: call.created_at.toISOString(),
  started_at: isoOrNull(call.started_at),
  first_token_at: isoOrNull(call.first_token_at),
  finished_at: isoOrNull(call.finished_at),
  prompt_tokens: call.prompt_tokens,
  completion_tokens: call.completion_tokens,
  total_tokens: call.total_tokens,
  cost_usd: Number(call.cost_usd),
  latency_ms: call.latency_ms,
  finish_reason: call.finish_reason,
  error: call.error,
  error_code: callErrorCode(call),
  payload_stored: call.payload_stored,
  ...(attempts && forAdmins(call, attempts)),
});

/** The message that the record has, with the names of chat completions, without what only the service needs of it. */
function serializeMessage(stored: unknown) {
  const { toolCalls, stopSequence, order: _, states: __, ...message } = stored as Message;
  return {
    ...message,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, type, function: called }) => ({ id, type, function: called })),
    }),
    ...(stopSequence !== undefined && { stop_sequence: stopSequence }),
  };
}

const readPart = { request: parseExactJson, response: (text: string) => serializeMessage(parseExactJson(text)) };

/** Whole texts as JSON, longer ones cut to so many bytes, never within a character. */
export function serializePayload(payload: PayloadRow | undefined, parts: readonly PayloadPart[], maxBytes: number) {
  const shown = parts.map((part) => {
    const text = payload?.[part] ?? null;
    const bytes = payload?.[`${part}_bytes`] ?? null;
    const isCut = bytes !== null && bytes > maxBytes;
    const value = text === null ? null : isCut ? cut(text, maxBytes) : readPart[part](text);
    return { part, value, bytes, isCut };
  });
  return {
    ...Object.fromEntries(
      shown.flatMap(({ part, value, bytes }) => [
        [part, value],
        [`${part}_bytes`, bytes],
      ]),
    ),
    truncated: shown.some(({ isCut }) => isCut),
  };
}

const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
