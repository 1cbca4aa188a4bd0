import { Migration } from '@mikro-orm/migrations';

/**
 * The upstream's share of a team. A team is made on two sides that have no transaction in common: the claim on its id
 * comes first and stays, and what the upstream has not heard yet is written by the statement that changes it.
 */
export class TeamRegistrations extends Migration {
  override up(): void {
    this.addSql(`
      -- claimed_until is null once the team is made. Past, it says that somebody died in between or gave up.
      create table team_registrations (
        team_id text primary key,
        organization_id text not null,
        proxy_team_id text not null unique,
        operation_id uuid not null,
        claimed_until timestamptz
      );
      create index team_claims on team_registrations (claimed_until) where claimed_until is not null;

      -- One row for each team of which the upstream knows less than we do. Every change has a version of its own, so
      -- that one made while another is being carried over is not taken for carried over too.
      create sequence upstream_change_versions;
      create table upstream_changes (
        team_id text primary key references teams,
        version bigint not null default nextval('upstream_change_versions'),
        changed_at timestamptz not null default clock_timestamp(),
        carried_until timestamptz
      );
      create index upstream_changes_oldest_first on upstream_changes (changed_at);
    `);
  }
}
