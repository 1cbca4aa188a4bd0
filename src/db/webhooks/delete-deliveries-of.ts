import type { Database } from '../connection/database.ts';
import { firstOf } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'delete_deliveries_of_webhook',
  firstOf('webhook_deliveries', 'delivery_id', 'webhook_id = :webhook_id'),
);

/** Deletes at most `atMost` of a webhook's deliveries, whatever their status. Returns how many. */
export async function deleteDeliveriesOf(database: Database, webhookId: string, atMost: number): Promise<number> {
  return (await database.query(sql, { at_most: atMost, webhook_id: webhookId })).length;
}
