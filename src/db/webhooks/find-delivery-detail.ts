import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import type { DeliveryRow } from './list-deliveries.ts';

/** A delivery with what its signature is made from. */
export interface DeliveryDetailRow extends DeliveryRow {
  webhook_url: string;
  secret_sealed: Buffer;
  /** The attempts that its present schedule has made. */
  attempts_of_schedule: number;
}

const deliverySql = statement(
  'find_delivery_detail',
  `select d.delivery_id, d.webhook_id, w.team_id, d.event, d.job_id, d.body, d.status, d.attempts, d.last_status_code,
          d.last_error, d.created_at, d.finished_at, w.webhook_url, w.secret_sealed,
          d.attempts - d.attempts_before as attempts_of_schedule
     from webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id
    where d.delivery_id = :delivery_id`,
);

export async function findDeliveryDetail(
  database: Database,
  deliveryId: string,
): Promise<DeliveryDetailRow | undefined> {
  const [row] = await database.query<DeliveryDetailRow>(deliverySql, { delivery_id: deliveryId });
  return row;
}

export interface DeliveryAttemptRow {
  attempt_number: number;
  started_at: Date;
  latency_ms: number;
  status_code: number | null;
  error: string | null;
  response_excerpt: string | null;
  retry_after_ms: number | null;
}

const attemptsSql = statement(
  'list_delivery_attempts',
  `select attempt_number, started_at, latency_ms, status_code, error, response_excerpt, retry_after_ms
     from webhook_delivery_attempts where delivery_id = :delivery_id
    order by attempt_number desc limit :at_most`,
);

/** The newest first. */
export const listDeliveryAttempts = (database: Database, deliveryId: string, atMost: number) =>
  database.query<DeliveryAttemptRow>(attemptsSql, { delivery_id: deliveryId, at_most: atMost });
