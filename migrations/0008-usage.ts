import { Migration } from '@mikro-orm/migrations';

/**
 * Finished jobs summed by the day of their creation (UTC), written by the statement that ends a job, and credits by the
 * day they were moved. Usage is this plus the few jobs still open, so that a month of a million jobs costs no more to
 * read than its days and job types.
 */
export class Usage extends Migration {
  override up(): void {
    this.addSql(`
      create table daily_usage (
        team_id text not null references teams,
        organization_id text not null references organizations,
        day date not null,
        job_type text not null,
        completed_jobs integer not null default 0,
        failed_jobs integer not null default 0,
        cancelled_jobs integer not null default 0,
        total_cost_usd numeric not null default 0,
        total_tokens bigint not null default 0,
        primary key (team_id, day, job_type)
      );
      create index usage_of_organization on daily_usage (organization_id, day);

      -- Deductions less refunds by the day of the ledger's row (UTC). The ledger only grows, so this can follow it blindly.
      create table daily_credits (
        team_id text not null references teams,
        organization_id text not null references organizations,
        day date not null,
        credits_used bigint not null default 0,
        primary key (team_id, day)
      );
      create index credits_of_organization on daily_credits (organization_id, day);

      create function count_credits() returns trigger language plpgsql as $$
      begin
        insert into daily_credits as d (team_id, organization_id, day, credits_used)
        values (new.team_id, new.organization_id, (new.created_at at time zone 'utc')::date,
                case new.transaction_type when 'deduction' then new.credits_amount else -new.credits_amount end)
        on conflict (team_id, day) do update set credits_used = d.credits_used + excluded.credits_used;
        return null;
      end $$;
      create trigger ledger_is_counted after insert on credit_transactions for each row
        when (new.transaction_type in ('deduction', 'refund')) execute function count_credits();
    `);
  }
}
