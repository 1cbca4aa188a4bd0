import { Migration } from '@mikro-orm/migrations';

/** Each attempt at a delivery, inserted by the statement that records its outcome, and deleted with the delivery. */
export class DeliveryAttempts extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_delivery_attempts (
        -- From the worker: the same when the statement is executed again.
        attempt_id uuid primary key,
        delivery_id uuid not null references webhook_deliveries on delete cascade,
        attempt_number integer not null check (attempt_number > 0),
        started_at timestamptz(3) not null,
        latency_ms integer not null check (latency_ms >= 0),
        status_code integer,
        error text,
        -- The first 1,024 bytes of the answer; each becomes one character at most.
        response_excerpt text check (char_length(response_excerpt) <= 1024),
        unique (delivery_id, attempt_number)
      );
    `);
  }
}
