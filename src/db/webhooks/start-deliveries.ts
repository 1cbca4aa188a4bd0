import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'reopen_delivery',
  `update webhook_deliveries
      set started_at = case when status = 'pending' then started_at end, status = 'pending', finished_at = null
    where delivery_id = :delivery_id`,
);

/** Makes an ended delivery pending again and not started, so that the sweep delivers it even if this process does not start it. */
export const reopenDelivery = (database: Database, deliveryId: string) =>
  database.query(sql, { delivery_id: deliveryId });

/** What a delivery's workflow is started with and labelled by. */
export interface DeliveryToStart {
  delivery_id: string;
  team_id: string;
  organization_id: string;
  event: string;
}

const columns = `select d.delivery_id, d.event, w.team_id, t.organization_id
     from webhook_deliveries d
     join webhooks w on w.webhook_id = d.webhook_id
     join teams t on t.team_id = w.team_id`;

const byIdSql = statement('deliveries_by_id', `${columns} where d.delivery_id = any(:delivery_ids::uuid[])`);

export const findDeliveries = (database: Database, deliveryIds: readonly string[]) =>
  database.query<DeliveryToStart>(byIdSql, { delivery_ids: deliveryIds });

const notStartedSql = statement(
  'deliveries_not_started',
  `${columns} where d.started_at is null and d.created_at < now() - :older_than_ms * interval '1 millisecond'
    order by d.created_at limit :at_most`,
);

/** Oldest first. Younger ones are left to the process that committed them. */
export const findNotStarted = (database: Database, olderThanMs: number, atMost: number) =>
  database.query<DeliveryToStart>(notStartedSql, { older_than_ms: olderThanMs, at_most: atMost });

const startedSql = statement(
  'deliveries_started',
  `update webhook_deliveries set started_at = clock_timestamp() where delivery_id = any(:delivery_ids::uuid[]) and started_at is null`,
);

export const markStarted = (database: Database, deliveryIds: readonly string[]) =>
  database.query(startedSql, { delivery_ids: deliveryIds });
