import { Migration } from '@mikro-orm/migrations';

/** The jobs and the sessions of further keys; jobs of first keys are in neither index. */
export class JobsOfKeys extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists jobs_of_key');
    this.addSql(
      'create index concurrently jobs_of_key on jobs (key_id, created_at desc, job_id) where key_id is not null',
    );
    this.addSql('drop index concurrently if exists open_jobs_of_key');
    this.addSql(
      `create index concurrently open_jobs_of_key on jobs (key_id, created_at desc, job_id) include (key_credits_held)
        where key_id is not null and status in ('pending', 'in_progress')`,
    );
    this.addSql('drop index concurrently if exists team_sessions_of_team_key');
    this.addSql(
      `create index concurrently team_sessions_of_team_key on team_sessions (key_id, created_at) where key_id is not null`,
    );
  }
}
