import { Migration } from '@mikro-orm/migrations';

/** The order of job types no longer depends on the locale of the cluster: the index of this order is by the numbers of characters. */
export class OrderOfJobTypes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists ended_jobs_by_type_name');
    this.addSql(
      `create index concurrently ended_jobs_by_type_name
         on jobs (job_type collate "C" desc, created_at desc, job_id) where completed_at is not null`,
    );
    this.addSql('drop index concurrently if exists ended_jobs_by_type');
  }
}
