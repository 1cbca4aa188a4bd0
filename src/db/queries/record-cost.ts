import { type Database, statement } from '../database.ts';

const sql = statement(
  'record_cost',
  `with recorded as (
     update calls set recorded_at = now()
      where call_id = $1 and recorded_at is null and status in ('succeeded', 'failed')
     returning *
   )
   update jobs j
      set total_calls = j.total_calls + 1,
          failed_calls = j.failed_calls + (recorded.status = 'failed')::int,
          total_prompt_tokens = j.total_prompt_tokens + recorded.prompt_tokens,
          total_completion_tokens = j.total_completion_tokens + recorded.completion_tokens,
          total_tokens = j.total_tokens + recorded.total_tokens,
          total_cost_usd = j.total_cost_usd + recorded.cost_usd,
          total_latency_ms = j.total_latency_ms + recorded.latency_ms
     from recorded where j.job_id = recorded.job_id`,
);

/** Adds a finished call to its job, once: `recorded_at` is the guard, and the same statement sets it. */
export async function recordCost(database: Database, callId: string): Promise<void> {
  await database.query(sql, [callId]);
}
