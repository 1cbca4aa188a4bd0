import { Migration } from '@mikro-orm/migrations';

/**
 * The position up to which each sweep of maintenance has read. A sweep that compares open rows begins again after the newest row.
 */
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
