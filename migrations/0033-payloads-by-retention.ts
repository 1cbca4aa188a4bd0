import { Migration } from '@mikro-orm/migrations';

/** Finds the payloads whose team has a retention of its own, by their age. */
export class PayloadsByRetention extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists payloads_by_retention');
    this.addSql(
      'create index concurrently payloads_by_retention on call_payloads (retention_days, created_at) where retention_days is not null',
    );
  }
}
