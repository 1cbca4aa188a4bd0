import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callWasMade } from '../sql/status.ts';

/** Whether nobody knows what of a call, as conditions. */
interface Unknown {
  tokens: string;
  cost: string;
}

/** A request to a model whose answer nobody has received to its end. */
export const wasCutOff = (callId: string): string =>
  `exists (select from call_attempts a where a.call_id = ${callId} and a.outcome in ('interrupted', 'cancelled'))`;

/** What a call with a reservation counts beyond its true figure where nobody knows that: a part of its job's budget, never of a bill. */
const assumed = (held: string, known: string, isUnknown: string): string =>
  `sum(case when held_tokens is not null and (${isUnknown}) then greatest(${held} - ${known}, 0) else 0 end)`;

/** What the calls of a common table expression add to the sums of their jobs, as a table. */
export const additions = (calls: string, isUnknown: Unknown): string => `
            (select job_id, count(*) as calls, count(*) filter (where status = 'failed') as failed,
                    sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
                    sum(total_tokens) as tokens, sum(cost_usd) as cost_usd, sum(estimated_cost_usd) as estimated_cost_usd,
                    sum(latency_ms) as latency_ms,
                    ${assumed('held_tokens', 'total_tokens', isUnknown.tokens)} as assumed_tokens,
                    ${assumed('held_usd', 'cost_usd', isUnknown.cost)} as assumed_cost_usd
               from ${calls} group by job_id)`;

/** The sums of a job `j` with `added`, a row of `additions`, as assignments. */
export const sumsWithAdded = `
            total_calls = j.total_calls + added.calls, failed_calls = j.failed_calls + added.failed,
            total_prompt_tokens = j.total_prompt_tokens + added.prompt_tokens,
            total_completion_tokens = j.total_completion_tokens + added.completion_tokens,
            total_tokens = j.total_tokens + added.tokens,
            total_cost_usd = j.total_cost_usd + added.cost_usd,
            estimated_cost_usd = j.estimated_cost_usd + added.estimated_cost_usd,
            total_latency_ms = j.total_latency_ms + added.latency_ms,
            assumed_tokens = j.assumed_tokens + added.assumed_tokens,
            assumed_cost_usd = j.assumed_cost_usd + added.assumed_cost_usd`;

/**
 * Adds the calls of a common table expression to their job; the same statement has finished and recorded them. With that their
 * reservations end. `spec 23.7` and `spec 23.8`
 */
export const addToJob = (calls: string, isUnknown: Unknown): string => `
     update jobs j set ${sumsWithAdded}
       from ${additions(calls, isUnknown)} added
      where j.job_id = added.job_id`;

/** A call that was closed: nobody knows what it took, unless no worker has ever requested it of a model. */
const mayHaveRun = `recorded.worker_attempt > 0 or ${wasCutOff('recorded.call_id')}`;

const sql = statement(
  'record_cost',
  `with recorded as (
     update calls set recorded_at = now()
      where job_id = :job_id and recorded_at is null and ${callWasMade()}
     returning *
   ) ${addToJob('recorded', { tokens: mayHaveRun, cost: mayHaveRun })}`,
);

/** Adds the finished calls that are not in the job's sums yet, once: `recorded_at` is the guard, and the same statement sets it. */
export async function recordCost(database: Database, jobId: string): Promise<void> {
  await database.query(sql, { job_id: jobId });
}
