import { Migration } from '@mikro-orm/migrations';

/** The names that a team may request, and the upstream's models behind them. Prices are USD per million tokens. */
export class Models extends Migration {
  override up(): void {
    this.addSql(`
      create table model_groups (
        model_group_id uuid primary key,
        group_name text not null unique,
        display_name text,
        description text,
        -- Fields of a request beyond the known ones that are sent upstream.
        extra_fields text[] not null default '{}',
        status text not null default 'active' check (status in ('active', 'inactive')),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );
      create table model_group_members (
        model_group_id uuid not null references model_groups on delete cascade,
        model_name text not null,
        priority integer not null check (priority >= 0),
        position integer not null default 0,
        is_active boolean not null default true,
        input_price_per_million numeric check (input_price_per_million >= 0),
        output_price_per_million numeric check (output_price_per_million >= 0),
        primary key (model_group_id, model_name)
      );
      create table team_model_groups (
        team_id text not null references teams on delete cascade,
        model_group_id uuid not null references model_groups,
        position integer not null,
        assigned_at timestamptz(3) not null default now(),
        primary key (team_id, model_group_id)
      );
      create index teams_of_model_group on team_model_groups (model_group_id);

      create table model_aliases (
        model_alias_id uuid primary key,
        alias_name text not null unique,
        model_name text not null,
        display_name text,
        description text,
        fallbacks text[] not null default '{}',
        extra_fields text[] not null default '{}',
        status text not null default 'active' check (status in ('active', 'inactive')),
        input_price_per_million numeric check (input_price_per_million >= 0),
        output_price_per_million numeric check (output_price_per_million >= 0),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );
      create table model_access_groups (
        model_access_group_id uuid primary key,
        group_name text not null unique,
        display_name text,
        description text,
        status text not null default 'active' check (status in ('active', 'inactive')),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );
      create table model_access_group_aliases (
        model_access_group_id uuid not null references model_access_groups on delete cascade,
        model_alias_id uuid not null references model_aliases on delete cascade,
        primary key (model_access_group_id, model_alias_id)
      );
      create index access_groups_of_alias on model_access_group_aliases (model_alias_id);
      create table team_access_groups (
        team_id text not null references teams on delete cascade,
        model_access_group_id uuid not null references model_access_groups on delete cascade,
        primary key (team_id, model_access_group_id)
      );
      create index teams_of_access_group on team_access_groups (model_access_group_id);
    `);
  }
}
