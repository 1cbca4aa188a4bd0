import { Migration } from '@mikro-orm/migrations';

/** A call that was retracted before a worker began it has a status of its own; it was a refused one with the error `unavailable`. */
export class RetractedCalls extends Migration {
  override up(): void {
    this.addSql(`
      alter table calls drop constraint calls_status_check, drop constraint failures_have_a_reason;
      update calls set status = 'retracted', error = null where status = 'refused' and error = 'unavailable';
      alter table calls
        add constraint calls_status_check
          check (status in ('queued', 'running', 'succeeded', 'failed', 'refused', 'retracted')),
        add constraint failures_have_a_reason check ((status in ('failed', 'refused')) = (error is not null));
    `);
  }
}
