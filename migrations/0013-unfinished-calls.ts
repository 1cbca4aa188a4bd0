import { Migration } from '@mikro-orm/migrations';

/** Unfinished by a column that the begin of a call does not change: PostgreSQL can write the begin in place then, and into no index. */
export class UnfinishedCalls extends Migration {
  override up(): void {
    this.addSql(`
      drop index unfinished_calls;
      create index unfinished_calls on calls (team_id) where finished_at is null;
    `);
  }
}
