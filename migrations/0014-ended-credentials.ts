import { Migration } from '@mikro-orm/migrations';

/** What sessions and keys that ended long ago are found by, to be forgotten. */
export class EndedCredentials extends Migration {
  override up(): void {
    this.addSql(`
      create index sessions_by_end on admin_sessions (expires_at);
      create index ended_keys on virtual_keys (expires_at) where ending_upstream;
    `);
  }
}
