import type { z } from 'zod';
import type { CallRecord } from '../../../../contracts/job-calls.ts';
import type { CallAttempt } from '../../../../contracts/jobs.ts';
import { type AttemptRow, listAttemptsOf } from '../../../../db/calls/list-attempts.ts';
import type { JobCallRow } from '../../../../db/calls/list-job-calls.ts';
import type { Caller } from '../../../../services/caller.ts';
import type { Deps } from '../../../ports.ts';

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

const serializeAttempt = ({ call_id: _, ...attempt }: AttemptRow): z.input<typeof CallAttempt> => ({
  ...attempt,
  cost_usd: Number(attempt.cost_usd),
  created_at: attempt.created_at.toISOString(),
});

const serializeCall = (call: JobCallRow): z.input<typeof CallRecord> => ({
  call_id: call.call_id,
  position: call.place,
  purpose: call.purpose,
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
  payload_stored: call.payload_stored,
});

/** The calls as the caller may see them: a team never sees a concrete model. `spec 3.9` */
export async function callsForCaller(
  { database }: Deps,
  caller: Caller,
  calls: readonly JobCallRow[],
): Promise<z.input<typeof CallRecord>[]> {
  if (caller.kind === 'team') return calls.map(serializeCall);
  // Read after the calls, because the attempts of each are recorded with its end.
  const attemptsOf = Map.groupBy(await listAttemptsOf(database, calls), ({ call_id }) => call_id);
  return calls.map((call) => ({
    ...serializeCall(call),
    resolved_model: call.resolved_model,
    model_used: call.model_used,
    attempts: (attemptsOf.get(call.call_id) ?? []).map(serializeAttempt),
  }));
}
