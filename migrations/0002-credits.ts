import { Migration } from '@mikro-orm/migrations';

/**
 * Credit accounts and their ledger. Every change of a balance is a ledger row, every row begins with the balance at which the
 * team's last one ended, and no row is ever changed. The database refuses anything else, so that no mistake of the service can
 * break these rules.
 */
export class Credits extends Migration {
  override up(): void {
    this.addSql(`
      create table credit_accounts (
        team_id text primary key references teams,
        organization_id text not null references organizations,
        credits_allocated integer not null default 0,
        credits_used integer not null default 0 check (credits_used >= 0),
        credits_remaining integer generated always as (credits_allocated - credits_used) stored,
        credit_limit integer check (credit_limit >= 0),
        auto_refill boolean not null default false,
        refill_amount integer check (refill_amount > 0),
        refill_period text check (refill_period in ('daily', 'weekly', 'monthly')),
        refill_anchor_at timestamptz(3),
        next_refill_at timestamptz(3),
        last_refill_at timestamptz(3),
        constraint fixed_budget_never_negative check (credit_limit is null or credits_allocated >= credits_used),
        constraint refill_is_complete check (
          not auto_refill or (refill_amount is not null and refill_period is not null
                              and refill_anchor_at is not null and next_refill_at is not null))
      );
      create index refills_due on credit_accounts (next_refill_at) where auto_refill;

      create table credit_transactions (
        position bigint generated always as identity,
        transaction_id uuid primary key,
        team_id text not null references teams,
        organization_id text not null references organizations,
        job_id uuid,
        transaction_type text not null check (transaction_type in ('deduction', 'allocation', 'refund', 'adjustment')),
        credits_amount integer not null,
        credits_before integer not null,
        credits_after integer not null,
        reason text not null check (char_length(reason) <= 500),
        refill_due_at timestamptz(3),
        -- The price of a credit when the job was charged, if there was one; a refund has that of its deduction.
        usd_per_credit numeric check (usd_per_credit >= 0),
        created_at timestamptz(3) not null default clock_timestamp(),
        constraint amount_explains_the_balance check (
          credits_after - credits_before = case transaction_type when 'deduction' then -credits_amount else credits_amount end),
        constraint amount_is_positive check (credits_amount > 0 or (transaction_type = 'adjustment' and credits_amount <> 0)),
        constraint jobs_are_deducted_and_refunded check ((job_id is not null) = (transaction_type in ('deduction', 'refund')))
      );
      create unique index one_deduction_a_job on credit_transactions (job_id) where transaction_type = 'deduction';
      create unique index one_refund_a_job on credit_transactions (job_id) where transaction_type = 'refund';
      create unique index one_refill_a_period on credit_transactions (team_id, refill_due_at) where refill_due_at is not null;
      create index transactions_of_team on credit_transactions (team_id, position desc);
      -- For lists of one type. Most rows are deductions; the index above finds those.
      create index rarer_transactions_of_team on credit_transactions (team_id, transaction_type, position desc)
        where transaction_type <> 'deduction';
      -- For lists across teams, and for ranges of time.
      create index transactions_newest_first on credit_transactions (created_at desc, position desc);
      create index transactions_of_team_by_time on credit_transactions (team_id, created_at desc, position desc);
      create index transactions_of_organization on credit_transactions (organization_id, created_at desc, position desc);
      create index rarer_transactions_newest_first on credit_transactions (transaction_type, created_at desc, position desc)
        where transaction_type <> 'deduction';

      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
      end $$;
      create trigger refuse_change_of_ledger_rows before update or delete on credit_transactions
        for each row execute function refuse_change();
      create trigger refuse_truncation_of_ledger before truncate on credit_transactions
        for each statement execute function refuse_change();
      revoke update, delete, truncate on credit_transactions from current_user;

      -- Each writer holds the lock of the account's row, so the newest row is the last one. A query in a trigger
      -- has a snapshot of its own, so it also sees rows that were committed while the writer waited for the lock.
      create function check_ledger_continuity() returns trigger language plpgsql as $$
      declare last_balance integer;
      begin
        select credits_after into last_balance from credit_transactions
          where team_id = new.team_id order by position desc limit 1;
        if new.credits_before is distinct from coalesce(last_balance, 0) then
          raise exception 'ledger row of team % begins at %, but the last row ended at %', new.team_id, new.credits_before, coalesce(last_balance, 0)
            using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger check_ledger_continuity before insert on credit_transactions
        for each row execute function check_ledger_continuity();

      create function check_account_equals_ledger() returns trigger language plpgsql as $$
      declare balance integer; last_balance integer;
      begin
        select credits_remaining into balance from credit_accounts where team_id = new.team_id;
        select credits_after into last_balance from credit_transactions
          where team_id = new.team_id order by position desc limit 1;
        if balance is distinct from coalesce(last_balance, 0) then
          raise exception 'balance of team % is %, but its last ledger row ended at %', new.team_id, balance, coalesce(last_balance, 0)
            using errcode = 'check_violation';
        end if;
        return null;
      end $$;
      create constraint trigger check_ledger_of_changed_account
        after insert or update of credits_allocated, credits_used on credit_accounts
        deferrable initially deferred for each row execute function check_account_equals_ledger();
      create constraint trigger check_account_of_new_ledger_row after insert on credit_transactions
        deferrable initially deferred for each row execute function check_account_equals_ledger();
    `);
  }
}
