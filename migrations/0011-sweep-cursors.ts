import { Migration } from '@mikro-orm/migrations';

/** How far each sweep of the maintenance has come: older rows were looked at, once. */
export class SweepCursors extends Migration {
  override up(): void {
    this.addSql(`
      create table sweep_cursors (
        name text primary key,
        done_until timestamptz(3) not null
      );
    `);
  }
}
