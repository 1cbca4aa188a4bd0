import { Migration } from '@mikro-orm/migrations';

/** The deliveries of a webhook that have not ended: those that wait to be started, oldest first, then those that were started. */
export class PendingDeliveriesOfWebhook extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists pending_deliveries_of_webhook');
    this.addSql(
      `create index concurrently pending_deliveries_of_webhook
         on webhook_deliveries (webhook_id, started_at nulls first, created_at) where status = 'pending'`,
    );
  }
}
