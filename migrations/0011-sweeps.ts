import { Migration } from '@mikro-orm/migrations';

/** How far a sweep has come: what is older was looked at, once. */
export class Sweeps extends Migration {
  override up(): void {
    this.addSql(`
      create table sweeps (
        name text primary key,
        done_until timestamptz(3) not null
      );
    `);
  }
}
