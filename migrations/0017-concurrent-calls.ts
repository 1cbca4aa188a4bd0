import { Migration } from '@mikro-orm/migrations';

/** How many calls of a team may be under way in one api; null: the default of the installation. `spec 9.1` */
export class ConcurrentCalls extends Migration {
  override up(): void {
    this.addSql('alter table teams add column max_concurrent_calls integer');
    this.addSql(`
      alter table teams add constraint concurrent_calls_are_bounded check (max_concurrent_calls between 1 and 500) not valid
    `);
  }
}
