import { Migration } from '@mikro-orm/migrations';

/** Invitations to become an admin user, until each is accepted or withdrawn. They end with the account of who has invited. `spec 12.20` */
export class AdminInvitations extends Migration {
  override up(): void {
    this.addSql(`
      create table admin_invitations (
        invitation_id uuid primary key,
        email text not null unique,
        role text not null check (role in ('owner', 'admin', 'user')),
        invited_by uuid not null references admin_users on delete cascade,
        token_hash bytea not null unique,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null
      );
      create index invitations_of_user on admin_invitations (invited_by);
    `);
  }
}
