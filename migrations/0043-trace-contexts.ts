import { Migration } from '@mikro-orm/migrations';

/** The trace of the request that made a call, which its worker continues. `spec 14.11` */
export class TraceContexts extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table calls add column if not exists trace_context text');
    this.addSql('alter table calls drop constraint if exists trace_context_is_short');
    this.addSql(
      'alter table calls add constraint trace_context_is_short check (char_length(trace_context) between 55 and 568) not valid',
    );
  }
}
