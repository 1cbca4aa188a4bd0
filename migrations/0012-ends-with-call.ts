import { Migration } from '@mikro-orm/migrations';

/** Whether a single-call job is settled by the activity that makes its call. False as soon as anything else is asked of it. */
export class EndsWithCall extends Migration {
  override up(): void {
    this.addSql(`
      alter table jobs
        add column ends_with_call boolean not null default false,
        add constraint only_single_call_jobs_end_with_their_call check (single_call or not ends_with_call);
    `);
  }
}
