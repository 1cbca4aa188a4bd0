import type { DeliveryStatus } from '../../domain/webhook-delivery.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A delivery and its receiver. */
export interface DeliveryToSend {
  delivery_id: string;
  webhook_id: string;
  team_id: string;
  status: DeliveryStatus;
  body: string;
  webhook_url: string;
  is_active: boolean;
  failing: boolean;
  secret_sealed: Buffer;
  auth_header_sealed: Buffer | null;
}

const sql = statement(
  'find_delivery',
  `select d.delivery_id, d.webhook_id, w.team_id, d.status, d.body, w.webhook_url, w.is_active,
          w.failing_since is not null as failing, w.secret_sealed, w.auth_header_sealed
     from webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id
    where d.delivery_id = :delivery_id`,
);

/** Undefined when the webhook was deleted, and its deliveries with it. */
export async function findDelivery(database: Database, deliveryId: string): Promise<DeliveryToSend | undefined> {
  const [row] = await database.query<DeliveryToSend>(sql, { delivery_id: deliveryId });
  return row;
}
