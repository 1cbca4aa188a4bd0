import { Migration } from '@mikro-orm/migrations';

/** Webhooks, and the outbox of their deliveries: a delivery's row is inserted by the statement that records its event. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhooks (
        webhook_id uuid primary key,
        team_id text not null references teams,
        webhook_url text not null,
        events text[] not null,
        is_active boolean not null default true,
        auth_header_sealed bytea,
        secret_sealed bytea not null,
        failing_since timestamptz(3),
        last_triggered_at timestamptz(3),
        created_at timestamptz(3) not null default now()
      );
      create index webhooks_of_team on webhooks (team_id, created_at);

      create table webhook_deliveries (
        delivery_id uuid primary key,
        webhook_id uuid not null references webhooks on delete cascade,
        event text not null,
        job_id uuid,
        body text not null,
        status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted')),
        attempts integer not null default 0,
        -- Those made before the delivery was last tried with its whole schedule again.
        attempts_before integer not null default 0,
        last_status_code integer,
        last_error text,
        started_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3)
      );
      create index deliveries_of_webhook on webhook_deliveries (webhook_id, created_at desc, delivery_id);
      create index deliveries_ended on webhook_deliveries (finished_at) where finished_at is not null;
      create index deliveries_not_started on webhook_deliveries (created_at) where started_at is null;
      -- Maintenance compares what is open with Temporal.
      create index pending_deliveries_oldest_first on webhook_deliveries (created_at, delivery_id)
        where status = 'pending' and started_at is not null;
      -- For lists across webhooks, and for what is to be delivered again.
      create index deliveries_newest_first on webhook_deliveries (created_at, delivery_id);
      create index deliveries_of_job on webhook_deliveries (job_id) where job_id is not null;
      create index exhausted_deliveries on webhook_deliveries (created_at, delivery_id) where status = 'exhausted';
      create index exhausted_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at, delivery_id)
        where status = 'exhausted';
    `);
  }
}
