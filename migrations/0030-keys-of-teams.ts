import { Migration } from '@mikro-orm/migrations';

/**
 * Further keys of teams, beside the first one of each in `virtual_keys`. `spec 25`
 *
 * What the jobs of a key were charged is kept by the day, so that it can be summed up since any Monday or first of a month. What its open
 * jobs may cost is in their rows: it ends with them, and no counter can keep it.
 */
export class KeysOfTeams extends Migration {
  override up(): void {
    this.addSql(`
      create table team_keys (
        key_id uuid primary key,
        team_id text not null references teams,
        name text not null,
        key_hash bytea not null unique,
        key_sealed bytea not null,
        key_hint text not null,
        expires_at timestamptz(3),
        credit_limit integer check (credit_limit >= 0),
        limit_reset text check (limit_reset in ('daily', 'weekly', 'monthly')),
        created_at timestamptz(3) not null default now(),
        constraint one_key_a_name unique (team_id, name)
      );
      create table team_key_days (
        key_id uuid not null references team_keys on delete cascade,
        day date not null,
        credits_used bigint not null,
        primary key (key_id, day)
      );

      -- A session belongs to a first key by its hash, or to a further key by its id.
      alter table team_sessions alter column key_hash drop not null;
      alter table team_sessions add column key_id uuid;
      alter table team_sessions add constraint team_sessions_key_id_fkey
        foreign key (key_id) references team_keys on delete cascade not valid;
      alter table team_sessions add constraint session_has_one_key check ((key_hash is null) <> (key_id is null)) not valid;

      create function start_of_key_limit(limit_reset text) returns date language sql stable as $$
        select case limit_reset when 'daily' then today
                                when 'weekly' then date_trunc('week', today::timestamp)::date
                                when 'monthly' then date_trunc('month', today::timestamp)::date
                                else '-infinity' end
          from (select (now() at time zone 'utc')::date as today) utc
      $$;

      -- The row of the key is locked first, so that the sums see every job that was created with it before.
      create function keep_key_limit() returns trigger language plpgsql as $$
      declare
        limited record;
        taken bigint;
      begin
        select k.credit_limit, start_of_key_limit(k.limit_reset) as since into limited
          from team_keys k where k.key_id = new.key_id and k.credit_limit is not null for no key update;
        if not found then
          return null;
        end if;
        select (select coalesce(sum(d.credits_used), 0) from team_key_days d where d.key_id = new.key_id and d.day >= limited.since)
             + (select coalesce(sum(j.key_credits_held), 0) from jobs j
                 where j.key_id = new.key_id and j.status in ('pending', 'in_progress'))
          into taken;
        if taken > limited.credit_limit then
          raise exception 'key % has % credits, and % are taken', new.key_id, limited.credit_limit, taken
            using errcode = 'check_violation', constraint = 'key_limit';
        end if;
        return null;
      end $$;
      create trigger keep_key_limit after insert on jobs for each row
        when (new.key_id is not null) execute function keep_key_limit();
    `);
  }
}
