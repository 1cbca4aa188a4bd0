import { Migration } from '@mikro-orm/migrations';

/** Who is alive to carry out jobs. Unlogged: worth nothing after a crash, and written twice a second. */
export class Workers extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table workers (
        worker_id uuid primary key,
        task_queue text not null,
        seen_at timestamptz not null
      );
    `);
  }
}
