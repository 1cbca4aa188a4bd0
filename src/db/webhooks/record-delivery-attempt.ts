import type { DeliveryStatus } from '../../domain/delivery-state.ts';
import type { Database } from '../connection/database.ts';
import { isUniqueViolation } from '../connection/failures.ts';
import { statement } from '../sql/statement.ts';

export interface DeliveryAttempt {
  /** The same when the attempt is recorded again. */
  attempt_id: string;
  delivery_id: string;
  started_at: Date;
  latency_ms: number;
  /** Null: there was no answer. */
  status_code: number | null;
  response_excerpt: string | null;
  /** Null: the receiver does not say when to try again. */
  retry_after_ms: number | null;
  /** Null: it was delivered. */
  error: string | null;
  /** 410 Gone: the receiver wants no further deliveries. */
  is_gone: boolean;
  /** The schedule has no further attempt. */
  is_last: boolean;
}

export interface RecordedAttempt {
  webhook_id: string;
  status: DeliveryStatus;
  is_active: boolean;
}

/** A webhook whose failures began five days ago is switched off: `spec 11.3`. */
const sql = statement(
  'record_delivery_attempt',
  `with earlier as (
     select from webhook_delivery_attempts where attempt_id = :attempt_id
   ), delivery as (
     select delivery_id, webhook_id from webhook_deliveries
      where delivery_id = :delivery_id and status = 'pending' and not exists (select from earlier)
   ), webhook as (
     update webhooks w
        set last_triggered_at = clock_timestamp(),
            failing_since = case when :error::text is null then null else coalesce(w.failing_since, clock_timestamp()) end,
            is_active = w.is_active and (:error is null or not :is_gone
                        and coalesce(w.failing_since > clock_timestamp() - interval '5 days', true))
       from delivery where w.webhook_id = delivery.webhook_id
     returning w.webhook_id, w.is_active
   ), settled as (
     select case when :error is null then 'delivered' when :is_last or not is_active then 'exhausted' else 'pending' end as status
       from webhook
   ), recorded as (
     update webhook_deliveries d
        set attempts = d.attempts + 1, last_status_code = :status_code, last_error = :error, status = settled.status,
            started_at = coalesce(d.started_at, clock_timestamp()),
            finished_at = case when settled.status <> 'pending' then clock_timestamp() end
       from webhook, settled
      where d.delivery_id = :delivery_id and d.status = 'pending'
     returning d.webhook_id, d.status, d.attempts, webhook.is_active
   ), logged as (
     insert into webhook_delivery_attempts
            (attempt_id, delivery_id, attempt_number, started_at, latency_ms, status_code, error, response_excerpt,
             retry_after_ms)
     select :attempt_id::uuid, :delivery_id::uuid, attempts, :started_at::timestamptz, :latency_ms::int, :status_code::int,
            :error::text, :response_excerpt::text, :retry_after_ms::int
       from recorded
   )
   select webhook_id, status, is_active from recorded
   union all
   select d.webhook_id, d.status, w.is_active
     from webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id
    where d.delivery_id = :delivery_id and exists (select from earlier)`,
);

/**
 * Records the outcome of an attempt, for the delivery and its webhook: a success ends a series of failures; 410, or five days of
 * failures, switches the webhook off and ends the delivery too. Undefined when the delivery had ended, or is gone. An attempt
 * that is recorded already is not counted again: the state after it is returned.
 */
export async function recordDeliveryAttempt(
  database: Database,
  attempt: DeliveryAttempt,
): Promise<RecordedAttempt | undefined> {
  const record = () => database.query<RecordedAttempt>(sql, { ...attempt });
  const [row] = await record().catch((error: unknown) => {
    // The first execution was committed while this one, which began before that, waited for it.
    if (!isUniqueViolation(error)) throw error;
    return record();
  });
  return row;
}

const failSql = statement(
  'fail_delivery',
  `update webhook_deliveries d set status = 'exhausted', last_error = :error, finished_at = clock_timestamp()
     from webhooks w
    where d.delivery_id = :delivery_id and d.status = 'pending' and w.webhook_id = d.webhook_id
   returning w.webhook_id, w.team_id`,
);

/** Ends a delivery that no attempt will end: its webhook was switched off, or its workflow terminated. Returns its webhook, if it ended it. */
export async function failDelivery(database: Database, deliveryId: string, error: string) {
  const [webhook] = await database.query<{ webhook_id: string; team_id: string | null }>(failSql, {
    delivery_id: deliveryId,
    error,
  });
  return webhook;
}
