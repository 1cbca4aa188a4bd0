import { Migration } from '@mikro-orm/migrations';

/** Heartbeats of the workers. Unlogged: they are of no use after a crash, and are written twice a second. */
export class Workers extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table workers (
        worker_id uuid primary key,
        task_queue text not null,
        version text not null default '',
        started_at timestamptz(3) not null default now(),
        seen_at timestamptz not null
      );
    `);
  }
}
