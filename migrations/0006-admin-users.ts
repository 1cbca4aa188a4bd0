import { Migration } from '@mikro-orm/migrations';

/** The people who manage the platform, their sessions, and the audit log, whose rows cannot be changed or deleted. */
export class AdminUsers extends Migration {
  override up(): void {
    this.addSql(`
      create table admin_users (
        user_id uuid primary key,
        email text not null unique,
        display_name text not null,
        role text not null check (role in ('owner', 'admin', 'user')),
        password_hash text not null,
        is_active boolean not null default true,
        metadata jsonb not null default '{}',
        created_at timestamptz(3) not null default now(),
        last_login timestamptz(3)
      );
      create table admin_sessions (
        session_id uuid primary key,
        user_id uuid not null references admin_users on delete cascade,
        token_hash bytea not null unique,
        expires_at timestamptz(3) not null,
        ip_address text,
        user_agent text,
        is_revoked boolean not null default false,
        created_at timestamptz(3) not null default now()
      );
      create index sessions_of_user on admin_sessions (user_id);
      create index sessions_by_end on admin_sessions (expires_at);

      create table audit_log (
        position bigint generated always as identity,
        audit_id uuid primary key,
        user_id uuid,
        action text not null,
        resource_type text not null,
        resource_id text,
        details jsonb not null default '{}',
        ip_address text,
        created_at timestamptz(3) not null default clock_timestamp()
      );
      create index audit_newest_first on audit_log (position desc);
      create index audit_of_user on audit_log (user_id, position desc);
      create index audit_of_action on audit_log (action, position desc);
      create index audit_of_resource on audit_log (resource_type, resource_id, position desc);
      create trigger refuse_change_of_audit_rows before update or delete on audit_log
        for each row execute function refuse_change();
      create trigger refuse_truncation_of_audit_log before truncate on audit_log
        for each statement execute function refuse_change();
      revoke update, delete, truncate on audit_log from current_user;
    `);
  }
}
