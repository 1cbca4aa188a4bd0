import { type Database, statement } from '../database.ts';

const sql = statement(
  'delete_deliveries',
  `delete from webhook_deliveries where delivery_id in (
     select delivery_id from webhook_deliveries
      where finished_at < now() - make_interval(days => $1)
      order by finished_at limit $2)
   returning delivery_id`,
);

/** Deliveries that ended longer ago than the days, from the outbox and the delivery log. Says how many. */
export async function deleteDeliveries(database: Database, days: number, atMost: number): Promise<number> {
  return (await database.query(sql, [days, atMost])).length;
}
