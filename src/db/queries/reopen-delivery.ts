import { type Database, statement } from '../database.ts';

const sql = statement(
  'reopen_delivery',
  `update webhook_deliveries
      set started_at = case when status = 'pending' then started_at end, status = 'pending', finished_at = null
    where delivery_id = $1`,
);

/** One that has ended is pending again and not started, so that it is delivered even if nobody comes to start it. */
export const reopenDelivery = (database: Database, deliveryId: string) => database.query(sql, [deliveryId]);
