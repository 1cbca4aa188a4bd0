import type { Database } from '../connection/database.ts';
import { isForeignKeyViolation } from '../connection/failures.ts';
import { type Retracting, type Retraction, retracting, retractingValues } from '../sql/retracting.ts';
import { statement } from '../sql/statement.ts';

/** What has become of a call whose client received that it will not be made, and of its job. */
export interface RetractedCall {
  id: string;
  retraction: Retraction;
  /** The job was created for the call, and is gone with it. */
  is_job_gone: boolean;
}

/**
 * Nothing is left of a call that no worker has started: neither its row and request, nor a job that was made for it and has no other
 * call, nor the event that this job was created, unless a receiver has it. See decision 102.
 */
const sql = (isOwn: boolean) => `
  with ${retracting(isOwn)}, retracted as (
    delete from calls c using retractable q where c.call_id = q.id and c.status = 'queued'
    returning c.call_id, c.job_id, q.scope, q.operation_id
  ), attempts as (
    delete from call_attempts using retracted where call_attempts.call_id = retracted.call_id
  ), abandoned as (
    delete from abandoned_calls using retracted where abandoned_calls.call_id = retracted.call_id
  ), payloads as (
    delete from call_payloads using retracted where call_payloads.call_id = retracted.call_id
  ), emptied as (
    delete from jobs j using retracted r
     where j.job_id = r.job_id and (j.single_call or j.for_task) and j.status = 'pending'
       and not exists (select from calls o where o.job_id = j.job_id and o.call_id not in (select call_id from retracted))
    returning j.job_id
  ), events as (
    delete from webhook_deliveries d using emptied e where d.job_id = e.job_id and d.status = 'pending' and d.attempts = 0
  ), released_keys as (
    delete from idempotency_keys k using retracted r where k.scope = r.scope and k.operation_id = r.operation_id
  )
  select q.id, case when r.call_id is not null then 'retracted' when c.call_id is not null then 'started' else 'missing' end
         as retraction, e.job_id is not null as is_job_gone
    from requested q
    left join retracted r on r.call_id = q.id
    left join calls c on c.call_id = q.id
    left join emptied e on e.job_id = r.job_id`;

const ownSql = statement('retract_own_calls', sql(true));
const unheldSql = statement('retract_unheld_calls', sql(false));

/**
 * Retracts those calls that no worker has started, and returns what has become of each by its id. `isOwn`: by the request that made
 * them, while it waits for them.
 */
export async function retractCalls(
  database: Database,
  calls: readonly Retracting[],
  { isOwn }: { isOwn: boolean },
): Promise<Map<string, RetractedCall>> {
  const retract = () => database.query<RetractedCall>(isOwn ? ownSql : unheldSql, retractingValues(calls));
  const rows = await retract().catch((error: unknown) => {
    // Another call was recorded in the job meanwhile: the job stays.
    if (!isForeignKeyViolation(error)) throw error;
    return retract();
  });
  return new Map(rows.map((row) => [row.id, row]));
}
