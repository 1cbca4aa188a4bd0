import { Migration } from '@mikro-orm/migrations';

/** When a client has requested that a call ends with what it has produced so far. `spec 26.10` */
export class StoppedCalls extends Migration {
  override up(): void {
    this.addSql('alter table calls add column stop_requested_at timestamptz(3)');
  }
}
