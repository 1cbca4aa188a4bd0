import { Migration } from '@mikro-orm/migrations';

/** Admin users who sign in by OpenID Connect have no password, and are known by their issuer and subject. `spec 12.40` */
export class OidcAccounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table admin_users
        alter column password_hash drop not null,
        add column signs_in_by text not null default 'password';
      alter table admin_users add constraint password_where_it_is_asked_for
        check (case signs_in_by when 'password' then password_hash is not null when 'oidc' then password_hash is null
               else false end) not valid;
      create table oidc_accounts (
        issuer text not null,
        subject text not null,
        user_id uuid not null unique references admin_users on delete cascade,
        primary key (issuer, subject)
      );
    `);
  }
}
