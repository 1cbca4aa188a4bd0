import { Migration } from '@mikro-orm/migrations';

/** Maintenance compares what is open with Temporal, oldest first. */
export class OpenWork extends Migration {
  override up(): void {
    this.addSql(`
      create index open_jobs_oldest_first on jobs (created_at, job_id) where status in ('pending', 'in_progress');
      create index pending_deliveries_oldest_first on webhook_deliveries (created_at, delivery_id)
        where status = 'pending' and started_at is not null;
    `);
  }
}
