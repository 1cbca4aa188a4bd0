import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** Events of one webhook that may wait in the outbox: with more it gets none, until half of them are delivered. `spec 11.13` */
const maxWaitingEvents = 10_000;

export interface LimitedBacklog {
  webhook_id: string;
  team_id: string | null;
  skips_events: boolean;
}

const sql = statement(
  'limit_backlogs',
  `with backlogs as (
     select w.webhook_id, exists (
              select from webhook_deliveries d
               where d.webhook_id = w.webhook_id and d.status = 'pending' and d.started_at is null
              offset case when w.skips_events then :most / 2 else :most end) as is_full
       from webhooks w
   )
   update webhooks w set skips_events = backlogs.is_full
     from backlogs where backlogs.webhook_id = w.webhook_id and w.skips_events <> backlogs.is_full
   returning w.webhook_id, w.team_id, w.skips_events`,
);

/**
 * Marks the webhooks of which too many events wait, and those that have caught up. The mark is on the webhook's row, which the
 * statement that records an event reads anyway. Returns the webhooks that have changed.
 */
export const limitBacklogs = (database: Database, most = maxWaitingEvents): Promise<LimitedBacklog[]> =>
  database.query<LimitedBacklog>(sql, { most });
