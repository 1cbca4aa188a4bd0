import type { CallFailure } from '../../domain/call-failure.ts';
import type { CallResult } from '../../domain/call-result.ts';
import { hasToolCalls, type Message } from '../../domain/chat-message.ts';
import type { ContextFigures } from '../../domain/context-figures.ts';
import type { ForgottenEmbeddings } from '../../domain/embeddings.ts';
import { isNotKept } from '../../domain/formats/not-kept.ts';
import { uncountedTokens } from '../../domain/token-estimate.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobHasEnded } from '../sql/status.ts';

const endedSql = statement(
  'ended_calls',
  `select c.call_id from calls c join jobs j on j.job_id = c.job_id
    where c.call_id = any (:call_ids) and c.finished_at is not null
      and (not j.ends_with_call or ${jobHasEnded('j.status')})
   union all
   select r.call_id from unnest(:recorded_ids::uuid[]) as r (call_id)
    where not exists (select from calls c where c.call_id = r.call_id)`,
);

/**
 * Which of these calls have ended: one query for all waiting requests. A call that ends its job counts once the job has ended:
 * otherwise its client would wait for a worker that may be shutting down. `recorded`: those that were recorded; one that is not any
 * more was retracted, and has no result.
 */
export async function findEndedCalls(
  database: Database,
  { all, recorded }: { all: readonly string[]; recorded: readonly string[] },
): Promise<string[]> {
  const rows = await database.query<{ call_id: string }>(endedSql, { call_ids: all, recorded_ids: recorded });
  return rows.map((row) => row.call_id);
}

interface Row {
  status: Exclude<CallResult['status'], 'retracted'>;
  error: string | null;
  failure: CallFailure | null;
  context_figures: ContextFigures | null;
  finish_reason: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  latency_ms: number;
  response: string | null;
}

const sql = statement(
  'read_call_result',
  `select c.status, c.error, c.failure, c.context_figures, c.finish_reason, c.prompt_tokens, c.completion_tokens, c.total_tokens, c.cached_tokens,
          c.cache_write_tokens, c.reasoning_tokens, c.latency_ms, p.response
     from calls c left join call_payloads p on p.call_id = c.call_id
    where c.call_id = :call_id and c.finished_at is not null`,
);

/** Undefined: there is none, or only what is kept of a long one, or of vectors. */
function storedMessage(response: string | null): Message | undefined {
  if (response === null || isNotKept(response)) return undefined;
  const stored = JSON.parse(response) as Message | ForgottenEmbeddings;
  return 'content' in stored ? stored : undefined;
}

/** How a call ended, with its message, from the record; undefined while it runs, and when there is none. */
export async function readCallResult(database: Database, callId: string): Promise<CallResult | undefined> {
  const [row] = await database.query<Row>(sql, { call_id: callId });
  if (!row) return undefined;
  const error = row.error ?? 'unknown';
  if (row.status === 'refused') return { status: row.status, error };
  const message = storedMessage(row.response);
  const usage = {
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    totalTokens: row.total_tokens,
    ...(row.cached_tokens !== null && { cachedTokens: row.cached_tokens }),
    ...(row.cache_write_tokens !== null && { cacheWriteTokens: row.cache_write_tokens }),
    ...(row.reasoning_tokens !== null && { reasoningTokens: row.reasoning_tokens }),
  };
  const uncounted = uncountedTokens(usage, message);
  if (row.status === 'failed') {
    const { failure, context_figures: contextFigures } = row;
    const why = { ...(failure && { failure }), ...(contextFigures && { contextFigures }) };
    return { status: row.status, error, ...why, usage, uncounted, message };
  }
  return {
    status: 'succeeded',
    finishReason: row.finish_reason ?? 'stop',
    latencyMs: row.latency_ms,
    usage,
    uncounted,
    message,
    ...(message?.stopSequence !== undefined && { stopSequence: message.stopSequence }),
    ...(message && hasToolCalls(message) && { hasToolCalls: true }),
  };
}
