import { Migration } from '@mikro-orm/migrations';

/**
 * One row for each Idempotency-Key in its scope (credential, path, key). The answer is encrypted, because it may contain a key.
 * A row without an answer belongs to a request in progress until `locked_until`. After that time the process of the request has died.
 */
export class Idempotency extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_keys (
        scope bytea primary key,
        request_hash bytea not null,
        operation_id uuid not null,
        locked_until timestamptz(3),
        status integer,
        headers jsonb,
        answer_sealed bytea,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null
      );
      create index idempotency_oldest_first on idempotency_keys (expires_at);
    `);
  }
}
