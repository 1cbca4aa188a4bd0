import { Migration } from '@mikro-orm/migrations';

/** Organizations, their teams and the teams' keys. Ids are text that the caller chooses, compared byte for byte. */
export class OrganizationsAndTeams extends Migration {
  override up(): void {
    this.addSql(`
      create table organizations (
        organization_id text primary key check (char_length(organization_id) between 1 and 255),
        name text not null,
        status text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
        metadata jsonb not null default '{}',
        proxy_organization_id text,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );

      create table teams (
        team_id text primary key check (char_length(team_id) between 1 and 255),
        organization_id text not null references organizations,
        team_alias text,
        status text not null default 'active' check (status in ('active', 'suspended')),
        budget_mode text not null default 'job_based'
          check (budget_mode in ('job_based', 'consumption_usd', 'consumption_tokens')),
        tokens_per_credit integer check (tokens_per_credit > 0),
        credits_per_dollar numeric check (credits_per_dollar > 0),
        low_balance_policy text not null default 'allow' check (low_balance_policy in ('allow', 'block')),
        rpm_limit integer check (rpm_limit > 0),
        tpm_limit integer check (tpm_limit > 0),
        job_key_from text[] not null default '{}' check (cardinality(job_key_from) <= 8),
        jobless_calls text not null default 'single' check (jobless_calls in ('single', 'refuse')),
        proxy_team_id text not null,
        max_budget numeric check (max_budget >= 0),
        metadata jsonb not null default '{}',
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );
      create index teams_of_organization on teams (organization_id, created_at, team_id);
      create index teams_newest_first on teams (created_at, team_id);

      -- A key is stored as an HMAC, by which it is found, and as an encrypted copy, from which it is shown; never in plain text.
      create table virtual_keys (
        key_hash bytea primary key,
        team_id text not null references teams,
        key_sealed bytea not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3),
        -- Whether the upstream has received the time at which the key ends.
        end_sent_upstream boolean not null default false
      );
      create unique index one_current_key_a_team on virtual_keys (team_id) where expires_at is null;
      create index key_ends_to_send on virtual_keys (team_id) where expires_at is not null and not end_sent_upstream;
      create index ended_keys on virtual_keys (expires_at) where end_sent_upstream;
    `);
  }
}
