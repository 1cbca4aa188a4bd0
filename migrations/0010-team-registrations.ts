import { Migration } from '@mikro-orm/migrations';

/**
 * Registration of teams with the upstream. A team is created in this database and at the upstream without a common transaction: a
 * claim on its id is committed first and stays, and a change that the upstream has not received is recorded by the statement that
 * makes it.
 */
export class TeamRegistrations extends Migration {
  override up(): void {
    this.addSql(`
      -- claimed_until is null once the team is created. In the past, it means that the creation was aborted or its process died.
      create table team_registrations (
        team_id text primary key,
        organization_id text not null,
        proxy_team_id text not null unique,
        operation_id uuid not null,
        claimed_until timestamptz
      );
      create index team_claims on team_registrations (claimed_until) where claimed_until is not null;

      -- One row for each team with changes that the upstream has not received. Every change has a version of its own, so
      -- that a change made while an earlier one is being sent is sent as well.
      create sequence upstream_change_versions;
      create table upstream_changes (
        team_id text primary key references teams,
        version bigint not null default nextval('upstream_change_versions'),
        changed_at timestamptz not null default clock_timestamp(),
        claimed_until timestamptz
      );
      create index upstream_changes_oldest_first on upstream_changes (changed_at);
    `);
  }
}
