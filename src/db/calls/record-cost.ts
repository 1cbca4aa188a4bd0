import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callWasMade } from '../sql/status.ts';

/** Adds the calls of a common table expression to their job; the same statement has finished and recorded them. */
export const addToJob = (calls: string): string => `
     update jobs j
        set total_calls = j.total_calls + added.calls, failed_calls = j.failed_calls + added.failed,
            total_prompt_tokens = j.total_prompt_tokens + added.prompt_tokens,
            total_completion_tokens = j.total_completion_tokens + added.completion_tokens,
            total_tokens = j.total_tokens + added.tokens,
            total_cost_usd = j.total_cost_usd + added.cost_usd,
            estimated_cost_usd = j.estimated_cost_usd + added.estimated_cost_usd,
            total_latency_ms = j.total_latency_ms + added.latency_ms
       from (select job_id, count(*) as calls, count(*) filter (where status = 'failed') as failed,
                    sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
                    sum(total_tokens) as tokens, sum(cost_usd) as cost_usd, sum(estimated_cost_usd) as estimated_cost_usd,
                    sum(latency_ms) as latency_ms
               from ${calls} group by job_id) added
      where j.job_id = added.job_id`;

const sql = statement(
  'record_cost',
  `with recorded as (
     update calls set recorded_at = now()
      where job_id = :job_id and recorded_at is null and ${callWasMade()}
     returning *
   ) ${addToJob('recorded')}`,
);

/** Adds the finished calls that are not in the job's sums yet, once: `recorded_at` is the guard, and the same statement sets it. */
export async function recordCost(database: Database, jobId: string): Promise<void> {
  await database.query(sql, { job_id: jobId });
}
