import { Migration } from '@mikro-orm/migrations';

/** The `X-Request-Id` of the request that made a call, and the calls of one. `spec 14.8` */
export class RequestIds extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table calls add column if not exists request_id text');
    this.addSql('alter table calls drop constraint if exists request_id_is_short');
    this.addSql(
      'alter table calls add constraint request_id_is_short check (char_length(request_id) between 1 and 128) not valid',
    );
    this.addSql('drop index concurrently if exists calls_of_request');
    this.addSql('create index concurrently calls_of_request on calls (request_id) where request_id is not null');
  }
}
