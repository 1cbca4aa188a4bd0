import { Migration } from '@mikro-orm/migrations';

/** The second factor of an admin user, asked for since `second_factor_at`, and the codes that stand in for it. `spec 12.30` */
export class SecondFactors extends Migration {
  override up(): void {
    this.addSql(`
      alter table admin_users
        add column second_factor_sealed bytea,
        add column second_factor_at timestamptz(3),
        add column second_factor_step bigint not null default 0;
      alter table admin_users add constraint second_factor_has_a_secret
        check (second_factor_at is null or second_factor_sealed is not null) not valid;
      create table recovery_codes (
        user_id uuid not null references admin_users on delete cascade,
        code_hash bytea not null,
        primary key (user_id, code_hash)
      );
    `);
  }
}
