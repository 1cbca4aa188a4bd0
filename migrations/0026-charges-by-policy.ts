import { Migration } from '@mikro-orm/migrations';

/**
 * A job is charged by the policy and the price that it was created with (`spec 21.1`, `spec 21.8`). The database refuses a charge that
 * the policy does not allow, whatever the code does (decision 108): constraints where the row of the job decides, a trigger where its calls do. Jobs
 * without a policy of their own do not fire it.
 * Beside that, estimates of what aborted attempts took (`spec 21.10`).
 */
export class ChargesByPolicy extends Migration {
  override up(): void {
    this.addSql(`
      alter table jobs
        drop constraint if exists only_completed_jobs_are_charged,
        add constraint charges_follow_the_policy check (
          not credit_applied
          or case coalesce(billing_policy, 'strict')
               when 'strict' then status = 'completed' and failed_calls = 0
               when 'answered' then completed_at is not null
               else status = 'completed'
             end) not valid,
        add constraint job_based_charges_are_the_price check (
          budget_mode is distinct from 'job_based' or credits_charged in (0, coalesce(price_credits, 1))) not valid
    `);
    this.addSql(`
      alter table daily_usage
        drop constraint if exists only_completed_jobs_are_charged,
        add constraint only_ended_jobs_are_charged check (charged_jobs <= completed_jobs + failed_jobs + cancelled_jobs) not valid
    `);
    // Calls without a purpose count as of one purpose. A call that was cut off after its first token was shown, by a cancellation or by
    // the deadline of its job, counts as answered.
    this.addSql(`
      create function call_facts(of_job uuid, out superseded integer, out unexcused integer, out answered integer) stable language sql as $$
        select count(*) filter (where is_superseded)::integer,
               count(*) filter (where status = 'failed' and not is_superseded
                                  and coalesce(failure, 'error') not in ('rejected', 'context_length', 'content_policy'))::integer,
               count(*) filter (where status = 'succeeded'
                                   or error in ('cancelled', 'deadline') and failure is null and first_token_at is not null)::integer
          from (select status, failure, error, first_token_at,
                       status = 'failed' and coalesce(position < max(position) filter (where status = 'succeeded')
                                                                   over (partition by coalesce(purpose, '')), false) as is_superseded
                  from calls where job_id = of_job) calls
      $$
    `);
    this.addSql(`
      create function refuse_charge_against_policy() returns trigger language plpgsql as $$
      declare facts record;
      begin
        select * into facts from call_facts(new.job_id);
        if new.billing_policy = 'answered' and facts.answered = 0 or new.billing_policy = 'superseded_ok' and facts.unexcused > 0 then
          raise exception 'the policy % of job % does not allow its charge', new.billing_policy, new.job_id
            using errcode = 'check_violation', constraint = 'charges_follow_the_policy';
        end if;
        return null;
      end $$
    `);
    this.addSql(`
      create trigger refuse_charge_against_policy after insert or update of credit_applied, billing_policy on jobs for each row
        when (new.credit_applied and new.billing_policy in ('superseded_ok', 'answered'))
        execute function refuse_charge_against_policy()
    `);
    // Null: nothing is estimated. In sums: 0.
    this.addSql(`
      alter table call_attempts
        add column estimated_prompt_tokens integer,
        add column estimated_completion_tokens integer,
        add column estimated_cost_usd numeric
    `);
    for (const table of ['calls', 'jobs', 'daily_usage'])
      this.addSql(`alter table ${table} add column estimated_cost_usd numeric not null default 0`);
  }
}
