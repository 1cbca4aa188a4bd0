import { Migration } from '@mikro-orm/migrations';

/** The names of admin users who have left, or what is known of these: what they have done is shown with it. `spec 12.5` */
export class FormerAdminUsers extends Migration {
  override up(): void {
    this.addSql(`
      create table former_admin_users (
        user_id uuid primary key,
        display_name text not null,
        left_at timestamptz(3) not null default now()
      );
      insert into former_admin_users (user_id, display_name, left_at)
      select distinct on (resource_id) resource_id::uuid, details ->> 'email', created_at
        from audit_log
       where action = 'deleted_user' and resource_id ~ '^[0-9a-f-]{36}$' and details ->> 'email' is not null;
    `);
  }
}
