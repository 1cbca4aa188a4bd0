import { type Database, statement } from '../database.ts';

const oldSql = statement(
  'delete_deliveries',
  `delete from webhook_deliveries where delivery_id in (
     select delivery_id from webhook_deliveries
      where finished_at < now() - make_interval(days => $1)
      order by finished_at limit $2)
   returning delivery_id`,
);

const ofWebhookSql = statement(
  'delete_deliveries_of_webhook',
  `delete from webhook_deliveries where delivery_id in (
     select delivery_id from webhook_deliveries where webhook_id = $1 limit $2)
   returning delivery_id`,
);

/** Deliveries that ended longer ago than the days, from the outbox and the delivery log. Says how many. */
export async function deleteDeliveries(database: Database, days: number, atMost: number): Promise<number> {
  return (await database.query(oldSql, [days, atMost])).length;
}

/** As many as `atMost` of a webhook's deliveries, whatever became of them. Says how many. */
export async function deleteDeliveriesOf(database: Database, webhookId: string, atMost: number): Promise<number> {
  return (await database.query(ofWebhookSql, [webhookId, atMost])).length;
}
