import { Migration } from '@mikro-orm/migrations';

/** How long the receiver asks to be left alone after an attempt. Null: it does not say. */
export class RetryAfter extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery_attempts add column retry_after_ms integer');
  }
}
