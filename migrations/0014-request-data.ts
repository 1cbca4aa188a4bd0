import { Migration } from '@mikro-orm/migrations';

/** Requests with large data URLs, which are replaced once their call has ended. */
export class RequestData extends Migration {
  override up(): void {
    this.addSql(`
      alter table call_payloads add column has_data_urls boolean not null default false;
      create index payloads_with_data_urls on call_payloads (created_at) where has_data_urls;
    `);
  }
}
