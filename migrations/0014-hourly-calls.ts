import { Migration } from '@mikro-orm/migrations';

/**
 * Sums of recorded calls by the hour of their end, and what maintenance did last. Maintenance adds the calls once they are recorded
 * (decision 70): reading a month with a million calls costs a row for each hour, team, model group, model and outcome.
 */
export class HourlyCalls extends Migration {
  override up(): void {
    this.addSql(`
      -- latency counts calls by the bounds of src/domain/latency-histogram.ts, one element more than there are bounds.
      create table hourly_calls (
        hour timestamptz(3) not null,
        team_id text not null references teams,
        -- Null for a direct request of an alias.
        model_group text,
        -- The last model that was requested.
        model text not null,
        -- succeeded, the kind of failure, cancelled, or interrupted.
        outcome text not null,
        calls integer not null,
        -- Calls that a fallback answered.
        fallbacks integer not null,
        tokens bigint not null,
        cost_usd numeric not null,
        latency integer[] not null,
        unique nulls not distinct (hour, team_id, model_group, model, outcome)
      );
      create index hourly_calls_of_team on hourly_calls (team_id, hour);

      -- The same by the day of the end (UTC), without models: what most charts and the overview need of a month.
      create table daily_calls (
        day date not null,
        team_id text not null references teams,
        model_group text,
        outcome text not null,
        calls integer not null,
        fallbacks integer not null,
        tokens bigint not null,
        cost_usd numeric not null,
        latency integer[] not null,
        unique nulls not distinct (day, team_id, model_group, outcome)
      );
      create index daily_calls_of_team on daily_calls (team_id, day);

      -- Requests to models: those after which another model answered are errors of the first model, although the call succeeded.
      create table hourly_attempts (
        hour timestamptz(3) not null,
        model text not null,
        model_group text,
        outcome text not null,
        attempts integer not null,
        tokens bigint not null,
        cost_usd numeric not null,
        latency integer[] not null,
        unique nulls not distinct (hour, model, model_group, outcome)
      );

      -- Every call with an earlier recorded_at is in the sums. The row has to be there: a roll-up moves it, or does nothing.
      insert into sweep_cursors (name, done_until) values ('hourly calls', 'epoch');

      create table maintenance_steps (
        step text primary key,
        position integer not null,
        ran_at timestamptz(3) not null,
        -- Null: it failed.
        handled integer
      );
    `);
  }
}
