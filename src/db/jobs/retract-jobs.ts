import type { Database } from '../connection/database.ts';
import { type Retracting, type Retraction, retracting, retractingValues } from '../sql/retracting.ts';
import { statement } from '../sql/statement.ts';

/** A job that has got a call or a command since is more than recorded: then its workflow has begun, and its request has an answer. */
const sql = (isOwn: boolean) => `
  with ${retracting(isOwn)}, retracted as (
    delete from jobs j using retractable q
     where j.job_id = q.id and j.status = 'pending' and j.updated_at = j.created_at
       and not exists (select from calls c where c.job_id = j.job_id)
    returning j.job_id, q.scope, q.operation_id
  ), events as (
    delete from webhook_deliveries d using retracted r where d.job_id = r.job_id and d.status = 'pending' and d.attempts = 0
  ), released_keys as (
    delete from idempotency_keys k using retracted r where k.scope = r.scope and k.operation_id = r.operation_id
  )
  select q.id, case when r.job_id is not null then 'retracted' when j.job_id is not null then 'started' else 'missing' end
         as retraction
    from requested q left join retracted r on r.job_id = q.id left join jobs j on j.job_id = q.id`;

const ownSql = statement('retract_own_jobs', sql(true));
const unheldSql = statement('retract_unheld_jobs', sql(false));

/** Deletes jobs whose clients received that they were not created. `isOwn`: by the request that made them. */
export async function retractJobs(
  database: Database,
  jobs: readonly Retracting[],
  { isOwn }: { isOwn: boolean },
): Promise<Map<string, Retraction>> {
  const rows = await database.query<{ id: string; retraction: Retraction }>(
    isOwn ? ownSql : unheldSql,
    retractingValues(jobs),
  );
  return new Map(rows.map(({ id, retraction }) => [id, retraction]));
}
