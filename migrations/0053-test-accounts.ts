import { Migration } from '@mikro-orm/migrations';

/** Marks the team whose calls the playground makes. `spec 32.1` */
export class TestAccounts extends Migration {
  override up(): void {
    this.addSql('alter table teams add column is_test boolean not null default false');
  }
}
