import { type Database, statement } from '../database.ts';

const sql = statement(
  'reopen_delivery',
  `update webhook_deliveries
      set started_at = case when status = 'pending' then started_at end, status = 'pending', finished_at = null
    where delivery_id = $1`,
);

/** Makes an ended delivery pending again and not started, so that the sweep delivers it even if this process does not start it. */
export const reopenDelivery = (database: Database, deliveryId: string) => database.query(sql, [deliveryId]);
