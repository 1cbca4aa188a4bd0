import { Migration } from '@mikro-orm/migrations';

/**
 * What bounds a job and what it costs: settings of teams, the price list, and what a job takes of them when it is created. Later
 * changes of the settings do not change a job. Null in a job and in a call: the default, or nothing of that kind.
 */
export class BudgetsAndPrices extends Migration {
  override up(): void {
    this.addSql(`
      alter table teams
        add column billing_policy text,
        add column usd_per_credit numeric,
        add column reserve_credits integer,
        add column job_budget_defaults jsonb,
        add column job_budget_maxima jsonb,
        add column credit_thresholds integer[] not null default '{}'
    `);
    this.addSql(`
      alter table teams
        drop constraint if exists teams_low_balance_policy_check,
        add constraint teams_low_balance_policy_check check (low_balance_policy in ('allow', 'block', 'reserve')) not valid,
        add constraint billing_policy_is_known
          check (billing_policy in ('strict', 'superseded_ok', 'completed', 'answered')) not valid,
        add constraint usd_per_credit_is_bounded check (usd_per_credit between 0 and 1000000) not valid,
        add constraint reserve_credits_are_bounded check (reserve_credits between 1 and 1000000000) not valid,
        add constraint thresholds_are_few check (cardinality(credit_thresholds) <= 10) not valid
    `);
    this.addSql(`
      alter table credit_accounts
        add column credits_held bigint not null default 0,
        add column refill_up_to integer
    `);
    this.addSql(`
      alter table credit_accounts
        add constraint credits_held_are_not_negative check (credits_held >= 0) not valid,
        add constraint refill_up_to_is_not_negative check (refill_up_to >= 0) not valid
    `);
    this.addSql(`
      create table job_type_prices (
        -- Null: for all teams.
        team_id text references teams,
        job_type text not null check (char_length(job_type) between 1 and 255),
        credits integer check (credits between 0 and 1000000),
        billing_policy text check (billing_policy in ('strict', 'superseded_ok', 'completed', 'answered')),
        budget jsonb,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );
      create unique index one_price_a_job_type on job_type_prices (job_type) where team_id is null;
      create unique index one_price_a_job_type_of_team on job_type_prices (team_id, job_type) where team_id is not null;
    `);
    this.addSql(`
      alter table jobs
        add column price_credits integer,
        add column billing_policy text,
        add column usd_per_credit numeric,
        add column credits_held integer,
        add column key_id uuid,
        add column key_credits_held integer,
        add column assumed_cost_usd numeric not null default 0,
        add column assumed_tokens bigint not null default 0
    `);
    this.addSql(`
      alter table jobs
        drop constraint if exists jobs_ended_by_check,
        add constraint jobs_ended_by_check
          check (ended_by in ('client', 'call', 'admin', 'operator', 'idle', 'service', 'deadline')) not valid
    `);
    this.addSql(`
      create table job_budgets (
        job_id uuid primary key references jobs on delete cascade,
        max_cost_usd numeric check (max_cost_usd between 0 and 1000000),
        max_tokens bigint check (max_tokens between 1 and 1000000000),
        max_calls integer check (max_calls between 1 and 100000),
        deadline_seconds integer check (deadline_seconds between 1 and 604800),
        deadline_grace_seconds integer not null check (deadline_grace_seconds between 0 and 600),
        default_output_tokens integer not null check (default_output_tokens between 1 and 1000000),
        deadline_at timestamptz(3),
        -- The caps that refused a call since the budget was last changed.
        reached text[] not null default '{}',
        constraint deadlines_are_moments check ((deadline_seconds is null) = (deadline_at is null))
      );
    `);
    // What a call has reserved. Null: nothing, because its job has no budget.
    this.addSql('alter table calls add column held_usd numeric, add column held_tokens bigint');
  }
}
