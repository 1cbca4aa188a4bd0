import type { Database } from '../connection/database.ts';
import type { IdempotentOperation } from '../idempotency/idempotency-keys.ts';
import { shortenUnsent } from '../sql/not-kept.ts';
import { statement } from '../sql/statement.ts';
import { callMayBecome } from '../sql/status.ts';

/** A call to retract. `operation`: that of its request, if it has an Idempotency-Key. */
export interface CallToRetract {
  call_id: string;
  operation: IdempotentOperation | undefined;
}

/** What has become of a call whose client received that it will not be made. */
export type Retraction = 'retracted' | 'started' | 'missing';

/** Whether no other request that repeats the operation holds the key now: such a request answers for the call itself. */
const notHeld = `k.status is null and coalesce(k.locked_until, '-infinity') <= now()`;

/**
 * A key is locked before its call is retracted, and deleted with it: so that repeating the request makes a new call, and a key
 * whose call has started stays.
 */
const retracting = (keyCondition: string) => `
  with requested as (
    select * from unnest(:call_ids::uuid[], :scopes::bytea[], :operation_ids::uuid[]) as requested (call_id, scope, operation_id)
  ), keys as (
    select q.call_id from idempotency_keys k join requested q on k.scope = q.scope and k.operation_id = q.operation_id
     where ${keyCondition} for update of k
  ), retracted as (
    update calls c set status = 'retracted', finished_at = coalesce(c.finished_at, now())
      from requested q
     where c.call_id = q.call_id and ${callMayBecome(['retracted'], 'c.status')}
       and (q.scope is null or exists (select from keys where keys.call_id = q.call_id)
            or not exists (select from idempotency_keys k where k.scope = q.scope and k.operation_id = q.operation_id))
    returning c.call_id, c.worker_attempt, q.scope, q.operation_id
  ), payloads as (${shortenUnsent('retracted')}
  ), released_keys as (
    delete from idempotency_keys k using retracted r where k.scope = r.scope and k.operation_id = r.operation_id
  )
  select q.call_id, case when r.call_id is not null then 'retracted' when c.call_id is not null then 'started' else 'missing' end
         as retraction
    from requested q left join retracted r on r.call_id = q.call_id left join calls c on c.call_id = q.call_id`;

const ownSql = statement('retract_own_calls', retracting('true'));
const unheldSql = statement('retract_unheld_calls', retracting(notHeld));

/**
 * Retracts those calls that no worker has started, and returns what has become of each. Repeated, it returns the same. `isOwn`: by
 * the request that made them, while it waits for them.
 */
export async function retractCalls(
  database: Database,
  calls: readonly CallToRetract[],
  { isOwn }: { isOwn: boolean },
): Promise<Map<string, Retraction>> {
  const rows = await database.query<{ call_id: string; retraction: Retraction }>(isOwn ? ownSql : unheldSql, {
    call_ids: calls.map(({ call_id }) => call_id),
    scopes: calls.map(({ operation }) => operation?.scope ?? null),
    operation_ids: calls.map(({ operation }) => operation?.operation_id ?? null),
  });
  return new Map(rows.map(({ call_id, retraction }) => [call_id, retraction]));
}
