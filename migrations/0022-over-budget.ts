import { Migration } from '@mikro-orm/migrations';

/** A call may fail because a budget at the upstream is spent; these calls are found by their time. */
export class OverBudget extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // The new constraint allows more than the old one, so that no row is read.
    this.addSql(
      `alter table calls drop constraint if exists calls_failure_check, add constraint calls_failure_check check (
         failure in ('context_length', 'content_policy', 'rejected', 'misconfigured', 'over_budget', 'rate_limited', 'timeout', 'error')
       ) not valid`,
    );
    this.addSql('drop index concurrently if exists calls_over_budget');
    this.addSql(
      "create index concurrently calls_over_budget on calls (finished_at) where failure = 'over_budget' and finished_at is not null",
    );
  }
}
