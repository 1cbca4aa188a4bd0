import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';

const sql = unnamed(
  `with failed as (
     select delivery_id from webhook_deliveries
      where webhook_id = :webhook_id and status = 'exhausted' and created_at >= :since::timestamptz
      order by created_at, delivery_id limit :at_most for update
   )
   update webhook_deliveries d
      set status = 'pending', started_at = null, finished_at = null, attempts_before = attempts
     from failed where d.delivery_id = failed.delivery_id
   returning d.delivery_id`,
);

const remainingSql = unnamed(
  `select count(*)::int as remaining from webhook_deliveries
    where webhook_id = :webhook_id and status = 'exhausted' and created_at >= :since::timestamptz`,
);

/**
 * Makes the exhausted deliveries of events since then pending again and not started, the oldest first, and counts the others. One
 * that is pending is passed over, so that a repeated request delivers nothing twice.
 */
export async function reopenFailedDeliveries(
  entities: SqlEntityManager,
  { webhook_id, since }: { webhook_id: string; since: Date },
  atMost: number,
): Promise<{ deliveryIds: string[]; remaining: number }> {
  const selection = { webhook_id, since: since.toISOString() };
  const reopened = await executeIn<{ delivery_id: string }>(entities, sql, { ...selection, at_most: atMost });
  const [counted] = await executeIn<{ remaining: number }>(entities, remainingSql, selection);
  return { deliveryIds: reopened.map((row) => row.delivery_id), remaining: counted!.remaining };
}
