import { Migration } from '@mikro-orm/migrations';

/** Lists no longer read jobs that were not charged along indexes of their own. Each job that ended free was written to both. */
export class FewerIndexesOfJobs extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists uncharged_jobs');
    this.addSql('drop index concurrently if exists uncharged_jobs_of_team');
  }
}
