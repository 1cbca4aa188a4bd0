import type { DeliveryStatus } from '../../domain/delivery-state.ts';
import type { TimeRange } from '../../domain/time/whole-days.ts';
import type { Database } from '../connection/database.ts';
import { type KeyColumn, orderBySql } from '../sql/keyset.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';

export interface DeliverySelection extends TimeRange {
  team_id?: string | undefined;
  webhook_id?: string | undefined;
  job_id?: string | undefined;
  status?: DeliveryStatus | undefined;
}

/** A row of the delivery log. */
export interface DeliveryRow {
  delivery_id: string;
  webhook_id: string;
  team_id: string | null;
  event: string;
  job_id: string | null;
  body: string;
  status: DeliveryStatus;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** How many deliveries there are of each status. */
export type DeliveryCounts = Record<DeliveryStatus, number>;

const columns = `d.delivery_id, d.webhook_id, w.team_id, d.event, d.job_id, d.body, d.status, d.attempts, d.last_status_code,
  d.last_error, d.created_at, d.finished_at`;

const created = { sql: 'd.created_at', type: 'timestamptz', direction: 'desc' } as const satisfies KeyColumn;
const keyset = {
  name: 'deliveries',
  columns: [created, { sql: 'd.delivery_id', type: 'uuid', direction: 'desc' }],
} as const;
/** The order is that of the index of the deliveries of one webhook. */
const keysetOfWebhook = {
  name: 'deliveries_of_webhook',
  columns: [created, { sql: 'd.delivery_id', type: 'uuid', direction: 'asc' }],
} as const;

const conditions = {
  webhook_id: 'd.webhook_id = :webhook_id',
  job_id: 'd.job_id = :job_id',
  from: 'd.created_at >= :from',
  before: 'd.created_at < :before',
};

const counts = `select count(*) as total, count(*) filter (where d.status = 'pending') as pending,
  count(*) filter (where d.status = 'delivered') as delivered, count(*) filter (where d.status = 'exhausted') as exhausted`;

/**
 * Deliveries to any webhook, newest first, with their number. Those of a team are the newest of each of its webhooks, of which
 * it has few, put in order.
 */
export function listDeliveries(
  database: Database,
  { team_id, status, ...selection }: DeliverySelection,
  page: KeysetPage,
) {
  const names = (Object.keys(conditions) as (keyof typeof conditions)[]).filter(
    (name) => (selection[name] ?? null) !== null,
  );
  // A literal, for the partial index of exhausted deliveries.
  const all = [...names.map((name) => conditions[name]), ...(status ? [`d.status = '${status}'`] : [])];
  const matching = all.join(' and ') || 'true';
  const ofAny = 'webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id';
  const ofTeam = team_id === undefined ? 'true' : 'w.team_id = :team_id';
  return readKeysetPage<DeliveryRow, DeliveryCounts>(
    database,
    {
      columns,
      keyset,
      from: (after) =>
        team_id === undefined
          ? `${ofAny} where ${matching} and ${after}`
          : `webhooks w cross join lateral (
               select * from webhook_deliveries d where d.webhook_id = w.webhook_id and ${matching} and ${after}
                order by ${orderBySql(keyset)} limit :limit::bigint + 1) d
             where ${ofTeam}`,
      count: `${counts} from ${team_id === undefined ? 'webhook_deliveries d' : ofAny} where ${matching} and ${ofTeam}`,
    },
    {
      ...Object.fromEntries(names.map((name) => [name, selection[name]])),
      ...(team_id !== undefined && { team_id }),
    },
    page,
  );
}

/** The deliveries to one webhook, newest first, with their number. */
export const listDeliveriesOfWebhook = (database: Database, webhookId: string, page: KeysetPage) =>
  readKeysetPage<DeliveryRow, DeliveryCounts>(
    database,
    {
      columns,
      keyset: keysetOfWebhook,
      from: (after) =>
        `webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id where d.webhook_id = :webhook_id and ${after}`,
      count: `${counts} from webhook_deliveries d where d.webhook_id = :webhook_id`,
    },
    { webhook_id: webhookId },
    page,
  );
