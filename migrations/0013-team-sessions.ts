import { Migration } from '@mikro-orm/migrations';

/** Sessions of teams in the console. Each belongs to the key that it was opened with, and ends with it. `seen_at`: used by cookie. */
export class TeamSessions extends Migration {
  override up(): void {
    this.addSql(`
      create table team_sessions (
        session_id uuid primary key,
        key_hash bytea not null references virtual_keys on update cascade on delete cascade,
        token_hash bytea not null unique,
        expires_at timestamptz(3) not null,
        seen_at timestamptz(3) not null default now(),
        ip_address text,
        user_agent text,
        created_at timestamptz(3) not null default now()
      );
      create index team_sessions_of_key on team_sessions (key_hash, created_at);
      create index team_sessions_by_end on team_sessions (expires_at);
      alter table admin_sessions add column seen_at timestamptz(3);
    `);
  }
}
