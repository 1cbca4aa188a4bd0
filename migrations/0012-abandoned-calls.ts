import { Migration } from '@mikro-orm/migrations';

/** Calls whose client left before their answer: a repetition of the request receives the answer, once. */
export class AbandonedCalls extends Migration {
  override up(): void {
    this.addSql(`
      create table abandoned_calls (
        call_id uuid primary key references calls,
        abandoned_at timestamptz(3) not null default now(),
        adopted boolean not null default false
      );
      create index abandoned_calls_oldest_first on abandoned_calls (abandoned_at);
    `);
  }
}
