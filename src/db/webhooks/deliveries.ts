import type { DeliveryStatus } from '../../domain/delivery-state.ts';
import type { Database } from '../connection/database.ts';
import { deleteFirst } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

/** A delivery and its receiver. */
export interface DeliveryToSend {
  delivery_id: string;
  webhook_id: string;
  team_id: string | null;
  status: DeliveryStatus;
  body: string;
  webhook_url: string;
  is_active: boolean;
  failing: boolean;
  secret_sealed: Buffer;
  auth_header_sealed: Buffer | null;
}

const findSql = statement(
  'find_delivery',
  `select d.delivery_id, d.webhook_id, w.team_id, d.status, d.body, w.webhook_url, w.is_active,
          w.failing_since is not null as failing, w.secret_sealed, w.auth_header_sealed
     from webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id
    where d.delivery_id = :delivery_id`,
);

/** Undefined when the webhook was deleted, and its deliveries with it. */
export async function findDelivery(database: Database, deliveryId: string): Promise<DeliveryToSend | undefined> {
  const [row] = await database.query<DeliveryToSend>(findSql, { delivery_id: deliveryId });
  return row;
}

const reopenSql = statement(
  'reopen_delivery',
  `update webhook_deliveries
      set started_at = case when status = 'pending' then started_at end,
          attempts_before = case when status = 'pending' then attempts_before else attempts end,
          status = 'pending', finished_at = null
    where delivery_id = :delivery_id`,
);

/** Makes an ended delivery pending again and not started, so that maintenance starts it if this process does not. */
export const reopenDelivery = (database: Database, deliveryId: string) =>
  database.query(reopenSql, { delivery_id: deliveryId });

/** The input and the search attributes of a delivery's workflow. */
export interface DeliveryToStart {
  delivery_id: string;
  /** Both are null where the webhook is one of the installation. */
  team_id: string | null;
  organization_id: string | null;
  event: string;
}

const toStartSql = statement(
  'delivery_to_start',
  `select d.delivery_id, d.event, w.team_id, t.organization_id
     from webhook_deliveries d
     join webhooks w on w.webhook_id = d.webhook_id
     left join teams t on t.team_id = w.team_id
    where d.delivery_id = :delivery_id`,
);

export async function findDeliveryToStart(
  database: Database,
  deliveryId: string,
): Promise<DeliveryToStart | undefined> {
  const [row] = await database.query<DeliveryToStart>(toStartSql, { delivery_id: deliveryId });
  return row;
}

const startedSql = statement(
  'delivery_started',
  `update webhook_deliveries set started_at = clock_timestamp() where delivery_id = :delivery_id and started_at is null`,
);

export const markStarted = (database: Database, deliveryId: string) =>
  database.query(startedSql, { delivery_id: deliveryId });

const deleteSql = statement(
  'delete_deliveries_of_webhook',
  deleteFirst('webhook_deliveries', 'delivery_id', 'webhook_id = :webhook_id'),
);

/** Deletes at most `atMost` of a webhook's deliveries, whatever their status. Returns how many. */
export async function deleteDeliveriesOfWebhook(
  database: Database,
  webhookId: string,
  atMost: number,
): Promise<number> {
  return (await database.query(deleteSql, { at_most: atMost, webhook_id: webhookId })).length;
}
