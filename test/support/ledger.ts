import type { Database } from '../../src/db/database.ts';

/** What must never be found, as SQL: each gives one row for each thing that is wrong. */
const offences: Record<string, string> = {
  'an account is not the sum of its ledger': `
    select a.team_id from credit_accounts a
      left join (select team_id, sum(credits_after - credits_before) as balance,
                        sum(case transaction_type when 'deduction' then credits_amount when 'refund' then -credits_amount else 0 end) as used
                   from credit_transactions group by team_id) l using (team_id)
     where a.credits_remaining <> coalesce(l.balance, 0) or a.credits_used <> coalesce(l.used, 0)`,
  'a ledger row does not begin where the last one ended': `
    select transaction_id from (
      select transaction_id, credits_before,
             lag(credits_after, 1, 0) over (partition by team_id order by position) as before from credit_transactions) t
     where credits_before <> before`,
  'a job was deducted twice': `
    select job_id from credit_transactions where transaction_type = 'deduction' group by job_id having count(*) > 1`,
  'credit_applied and the ledger disagree': `
    select j.job_id from jobs j full join credit_transactions t on t.job_id = j.job_id and t.transaction_type = 'deduction'
     where (coalesce(j.credit_applied, false)) <> (t.job_id is not null)
       and (t.job_id is not null or j.credit_applied) and (t.transaction_type = 'deduction' or t.transaction_type is null)`,
  'a fixed budget is negative': `
    select team_id from credit_accounts where credit_limit is not null and credits_remaining < 0`,
  'a finished job is not the sum of its calls': `
    select j.job_id from jobs j
      left join (select job_id, count(*) as calls, count(*) filter (where status = 'failed') as failed,
                        sum(total_tokens) as tokens, sum(cost_usd) as cost
                   from calls where status in ('succeeded', 'failed') group by job_id) c using (job_id)
     where j.completed_at is not null
       and (j.total_calls, j.failed_calls, j.total_tokens, j.total_cost_usd)
           is distinct from (coalesce(c.calls, 0), coalesce(c.failed, 0), coalesce(c.tokens, 0), coalesce(c.cost, 0))`,
  'a call was left behind by its job': `
    select c.call_id from calls c join jobs j using (job_id)
     where j.completed_at is not null and c.status in ('queued', 'running')`,
};

/** The offences found, `what: how many`; empty when the books are right. */
export async function checkLedger(database: Database): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(offences).map(async ([what, sql]) => {
      const { rowCount } = await database.pool.query(sql);
      return rowCount ? [`${what}: ${rowCount}`] : [];
    }),
  );
  return found.flat();
}
