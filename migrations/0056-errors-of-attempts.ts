import { Migration } from '@mikro-orm/migrations';

/**
 * Why an attempt failed, for programs: the failure, the HTTP status of the answer, and the code that the provider gave. Null of attempts from
 * before, and of those that did not fail. `spec 19.72`
 */
export class ErrorsOfAttempts extends Migration {
  override up(): void {
    this.addSql(
      'alter table call_attempts add column if not exists failure text, add column if not exists status_code integer, add column if not exists error_code text',
    );
  }
}
