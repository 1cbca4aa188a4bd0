import { Migration } from '@mikro-orm/migrations';

/**
 * What failed, by its time: few rows among all. Only a failure writes to them. The conditions name no column that changes while a call runs:
 * PostgreSQL then still updates the row of a call in place.
 */
export class IndexesOfErrors extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists failed_attempts');
    this.addSql("create index concurrently failed_attempts on call_attempts (created_at) where outcome = 'failed'");
    this.addSql('drop index concurrently if exists calls_with_error');
    this.addSql('create index concurrently calls_with_error on calls (finished_at) where error is not null');
  }
}
