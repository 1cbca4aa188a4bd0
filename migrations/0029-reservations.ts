import { Migration } from '@mikro-orm/migrations';

/**
 * Credits that open jobs have reserved (`spec 24`): `credits_held` of an account is the sum of `credits_held` of its open jobs. The rows
 * that are really inserted and deleted count, whatever statement does it, and an end releases together with the charge (decision 111).
 */
export class Reservations extends Migration {
  override up(): void {
    this.addSql(`
      alter table credit_accounts
        add constraint fixed_budget_covers_reservations check (
          credit_limit is null or credits_held = 0 or credits_allocated::bigint - credits_used - credits_held >= 0) not valid
    `);
    this.addSql(`
      create function reserve_credits() returns trigger language plpgsql as $$
      begin
        update credit_accounts set credits_held = credits_held + new.credits_held where team_id = new.team_id;
        return null;
      end $$;
      create trigger reserve_credits after insert on jobs for each row
        when (new.credits_held is not null) execute function reserve_credits();

      create function release_credits() returns trigger language plpgsql as $$
      begin
        update credit_accounts set credits_held = credits_held - old.credits_held where team_id = old.team_id;
        return null;
      end $$;
      create trigger release_credits after delete on jobs for each row
        when (old.credits_held is not null and old.status in ('pending', 'in_progress')) execute function release_credits()
    `);
    // What a job with a reservation is charged: its price, if that and what is available cover it, else what it has reserved.
    this.addSql(`
      create function charge_of_reservation(of_team text, reserved integer, price integer) returns integer language plpgsql as $$
      declare most constant bigint := 2147483647; account record; charge integer;
      begin
        select credits_used, credits_remaining, credit_limit, credits_held into account
          from credit_accounts where team_id = of_team for no key update;
        foreach charge in array array[price, reserved] loop
          if account.credits_used + charge::bigint <= most
             and account.credits_remaining - charge::bigint
                 >= (case when account.credit_limit is null then -most else account.credits_held - reserved end) then
            return charge;
          end if;
        end loop;
        return 0;
      end $$
    `);
    this.addSql(`
      alter table jobs
        drop constraint if exists job_based_charges_are_the_price,
        add constraint job_based_charges_are_the_price check (
          budget_mode is distinct from 'job_based'
          or credits_charged in (0, coalesce(price_credits, 1), coalesce(credits_held, 0))) not valid
    `);
    this.addSql('alter table jobs add constraint reservations_are_positive check (credits_held > 0) not valid');
  }
}
