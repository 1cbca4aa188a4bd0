import { Migration } from '@mikro-orm/migrations';

/**
 * Finished jobs summed by the day of their creation (UTC), written by the statement that ends a job. Usage is this plus
 * the few jobs still open, so that a month of a million jobs costs no more to read than its days and job types.
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
    `);
  }
}
