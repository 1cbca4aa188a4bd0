import { Migration } from '@mikro-orm/migrations';

/** How the token of an admin's session may be sent. Null: the session was opened before there were kinds, and has ended. */
export class SessionKinds extends Migration {
  override up(): void {
    this.addSql(`
      alter table admin_sessions add column kind text;
      alter table admin_sessions add constraint session_has_a_known_kind check (kind in ('cookie', 'token')) not valid;
    `);
  }
}
