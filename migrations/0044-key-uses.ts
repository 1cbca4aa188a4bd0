import { Migration } from '@mikro-orm/migrations';

/** When a request was last made with a key. `spec 25.6` */
export class KeyUses extends Migration {
  override up(): void {
    this.addSql('alter table virtual_keys add column last_used_at timestamptz(3)');
    this.addSql('alter table team_keys add column last_used_at timestamptz(3)');
  }
}
