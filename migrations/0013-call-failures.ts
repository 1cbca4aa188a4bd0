import { Migration } from '@mikro-orm/migrations';

/** Why no model answered a call, and the details of its tokens that the upstream reported. */
export class CallFailures extends Migration {
  override up(): void {
    this.addSql(`
      alter table calls
        add column failure text check (
          failure in ('context_length', 'content_policy', 'rejected', 'misconfigured', 'rate_limited', 'timeout', 'error')
        ),
        add column cached_tokens integer check (cached_tokens >= 0),
        add column reasoning_tokens integer check (reasoning_tokens >= 0),
        add constraint only_failed_calls_have_a_failure check (failure is null or status = 'failed');
    `);
  }
}
