import type { Pool } from 'pg';

/** Conditions that must hold at any moment, as SQL: each query returns one row for each violation. */
const invariants: Record<string, string> = {
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
  'a job is not the sum of its recorded calls': `
    select j.job_id from jobs j
      left join (select job_id, count(*) as calls, count(*) filter (where status = 'failed') as failed,
                        sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
                        sum(total_tokens) as tokens, sum(cost_usd) as cost, sum(estimated_cost_usd) as estimated, sum(latency_ms) as latency
                   from calls where recorded_at is not null group by job_id) c using (job_id)
     where (j.total_calls, j.failed_calls, j.total_prompt_tokens, j.total_completion_tokens, j.total_tokens,
            j.total_cost_usd, j.estimated_cost_usd, j.total_latency_ms)
           is distinct from (coalesce(c.calls, 0), coalesce(c.failed, 0), coalesce(c.prompt_tokens, 0),
                             coalesce(c.completion_tokens, 0), coalesce(c.tokens, 0), coalesce(c.cost, 0), coalesce(c.estimated, 0),
                             coalesce(c.latency, 0))`,
  'a finished job has a call that is not recorded': `
    select c.call_id from calls c join jobs j using (job_id)
     where j.completed_at is not null and c.status in ('succeeded', 'failed') and c.recorded_at is null`,
  'a call has two answers': `
    select call_id from call_attempts where outcome = 'succeeded' group by call_id having count(*) > 1`,
  'the estimates of a call are not those of its attempts': `
    select c.call_id from calls c left join call_attempts a using (call_id) where c.recorded_at is not null
     group by c.call_id having c.estimated_cost_usd <> coalesce(sum(a.estimated_cost_usd), 0)`,
  'a call is not the sum of its attempts': `
    select c.call_id from calls c join call_attempts a using (call_id) where c.status = 'succeeded'
     group by c.call_id having c.cost_usd <> sum(a.cost_usd)`,
  'a job was charged against its policy': `
    select job_id from jobs j cross join lateral call_facts(j.job_id) facts
     where credit_applied
       and not case coalesce(billing_policy, 'strict')
                 when 'strict' then status = 'completed' and not exists (select from calls c where c.job_id = j.job_id and c.status = 'failed')
                 when 'superseded_ok' then status = 'completed' and facts.unexcused = 0
                 when 'completed' then status = 'completed'
                 else facts.answered > 0 end`,
  'a job was charged another credit than its price': `
    select job_id from jobs where budget_mode = 'job_based' and credits_charged not in (0, coalesce(price_credits, 1), coalesce(credits_held, 0))`,
  'a day of usage is not the sum of its jobs': `
    select 1 from daily_usage u
      full join (select team_id, (created_at at time zone 'utc')::date as day, job_type, count(*) as jobs,
                        sum(total_cost_usd) as cost, sum(estimated_cost_usd) as estimated, sum(total_tokens) as tokens, sum(total_calls) as calls, sum(failed_calls) as failed_calls,
                        count(*) filter (where credit_applied) as charged,
                        coalesce(sum(total_cost_usd) filter (where not credit_applied), 0) as free_cost,
                        coalesce(sum(total_cost_usd) filter (where status = 'failed'), 0) as failed_cost
                   from jobs where completed_at is not null group by 1, 2, 3) j using (team_id, day, job_type)
     where (u.completed_jobs + u.failed_jobs + u.cancelled_jobs, u.total_cost_usd, u.total_tokens, u.total_calls, u.failed_calls,
            u.charged_jobs, u.free_cost_usd, u.failed_cost_usd, u.estimated_cost_usd)
           is distinct from (j.jobs, j.cost, j.tokens, j.calls, j.failed_calls, j.charged, j.free_cost, j.failed_cost, j.estimated)`,
  'the credits of a day of usage are not those of the ledger': `
    select 1 from daily_usage u
      left join (select j.team_id, (j.created_at at time zone 'utc')::date as day, j.job_type,
                        sum(t.credits_amount) filter (where t.transaction_type = 'deduction') as charged,
                        sum(t.credits_amount) filter (where t.transaction_type = 'refund') as refunded,
                        sum(case t.transaction_type when 'deduction' then t.credits_amount else -t.credits_amount end)
                          filter (where t.usd_per_credit is not null) as priced,
                        sum(t.usd_per_credit * case t.transaction_type when 'deduction' then t.credits_amount else -t.credits_amount end)
                          as revenue
                   from credit_transactions t join jobs j on j.job_id = t.job_id group by 1, 2, 3) l using (team_id, day, job_type)
     where (u.credits_charged, u.credits_refunded, u.priced_credits, u.revenue_usd)
           is distinct from (coalesce(l.charged, 0), coalesce(l.refunded, 0), coalesce(l.priced, 0), coalesce(l.revenue, 0))`,
  'the calls of an hour are not those that were recorded': `
    select 1 from (select date_trunc('hour', finished_at, 'utc') as hour, team_id, model_group_used as model_group, count(*) as calls,
                          sum(total_tokens) as tokens, sum(cost_usd) as cost
                     from calls where recorded_at < (select done_until from sweep_cursors where name = 'hourly calls') group by 1, 2, 3) c
      full join (select hour, team_id, model_group, sum(calls) as calls, sum(tokens) as tokens, sum(cost_usd) as cost
                   from hourly_calls group by 1, 2, 3) h
             on h.hour = c.hour and h.team_id = c.team_id and coalesce(h.model_group, '') = coalesce(c.model_group, '')
     where (c.calls, c.tokens, c.cost) is distinct from (h.calls, h.tokens, h.cost)`,
  'the calls of a day are not those of its hours': `
    select 1 from (select (hour at time zone 'utc')::date as day, team_id, model_group, outcome, sum(calls) as calls, sum(fallbacks) as fallbacks,
                          sum(tokens) as tokens, sum(cost_usd) as cost from hourly_calls group by 1, 2, 3, 4) h
      full join daily_calls d on d.day = h.day and d.team_id = h.team_id and coalesce(d.model_group, '') = coalesce(h.model_group, '')
                             and d.outcome = h.outcome
     where (h.calls, h.fallbacks, h.tokens, h.cost) is distinct from (d.calls, d.fallbacks, d.tokens, d.cost_usd)`,
  // Of a budget whose caps were not lowered. The cap of calls is exact; a call may take more than it has reserved.
  'a job has spent and holds more than a cap of its budget permits': `
    select b.job_id from job_budgets b join jobs j using (job_id) cross join lateral (
             select count(*) filter (where recorded_at is null) as open_calls,
                    coalesce(sum(held_tokens) filter (where recorded_at is null), 0) as held_tokens,
                    coalesce(sum(held_usd) filter (where recorded_at is null), 0) as held_usd,
                    coalesce(sum(greatest(total_tokens - held_tokens, 0)) filter (where recorded_at is not null), 0) as tokens_above,
                    coalesce(sum(greatest(cost_usd - held_usd, 0)) filter (where recorded_at is not null), 0) as usd_above
               from calls c where c.job_id = b.job_id and c.status <> 'refused') sums
     where j.total_calls + open_calls > b.max_calls
        or j.total_tokens + j.assumed_tokens + sums.held_tokens > b.max_tokens + tokens_above
        or j.total_cost_usd + j.assumed_cost_usd + sums.held_usd > b.max_cost_usd + usd_above`,
  'a job assumes more than its calls had reserved beyond what they took': `
    select j.job_id from jobs j cross join lateral (
             select coalesce(sum(greatest(held_tokens - total_tokens, 0)), 0) as tokens, coalesce(sum(greatest(held_usd - cost_usd, 0)), 0) as usd
               from calls c where c.job_id = j.job_id and c.recorded_at is not null) beyond
     where j.assumed_tokens > beyond.tokens or j.assumed_cost_usd > beyond.usd`,
  'an event is in the outbox twice': `
    select job_id from webhook_deliveries where job_id is not null and event <> 'job.budget_reached'
     group by webhook_id, job_id, event, body::jsonb #>> '{data,call_id}',
              case event when 'credits.threshold' then body::jsonb #>> '{data,threshold}' end having count(*) > 1`,
  'an asynchronous call that has ended has not one event': `
    select c.call_id from calls c
      join webhooks w on w.team_id = c.team_id and w.events @> '{call.completed,call.failed}' and w.created_at < c.created_at
     where c.asynchronous and c.status in ('succeeded', 'failed')
       and 1 <> (select count(*) from webhook_deliveries d
                  where d.webhook_id = w.webhook_id and d.job_id = c.job_id and d.body::jsonb #>> '{data,call_id}' = c.call_id::text
                    and d.event = case c.status when 'succeeded' then 'call.completed' else 'call.failed' end)`,
  'the reserved credits are not those of the open jobs': `
    select a.team_id from credit_accounts a
      left join (select team_id, sum(credits_held) as held from jobs where completed_at is null group by team_id) j using (team_id)
     where a.credits_held <> coalesce(j.held, 0)`,
  'a threshold that a balance fell to has not one event': `
    select 1 from credit_transactions c join teams t using (team_id) cross join lateral (select distinct unnest(t.credit_thresholds) as threshold) u
      join webhooks w on w.team_id = t.team_id and 'credits.threshold' = any (w.events) and w.created_at < c.created_at
     where c.credits_after <= threshold and threshold < c.credits_before and t.updated_at < c.created_at
       and 1 <> (select count(*) from webhook_deliveries d
                  where d.webhook_id = w.webhook_id and d.event = 'credits.threshold'
                    and d.body::jsonb -> 'data' @> jsonb_build_object('threshold', threshold, 'transaction_id', c.transaction_id))`,
  'credits were exhausted twice without a rise of the balance': `
    select 1 from (select w.team_id, at, lag(at) over (partition by w.webhook_id order by at) as before
                     from webhooks w join webhook_deliveries d using (webhook_id) cross join lateral (select (d.body::jsonb ->> 'timestamp')::timestamptz as at) e
                    where d.event = 'credits.exhausted') e
     where before is not null
       and not exists (select from credit_transactions c where c.team_id = e.team_id and c.credits_after > c.credits_before
                                                           and c.created_at between before - interval '2 ms' and at + interval '2 ms')`,
};

/** Conditions that must hold when no work is in flight. */
const afterTheEnd: Record<string, string> = {
  'an ended job has an unfinished call': `
    select c.call_id from calls c join jobs j using (job_id)
     where j.completed_at is not null and c.status in ('queued', 'running')`,
};

/** The violations, as `condition: number of rows`. `inFlight`: work is still in flight. */
export async function checkLedger(
  { pool }: { pool: Pick<Pool, 'query'> },
  { inFlight = false } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const [what, sql] of Object.entries(inFlight ? invariants : { ...invariants, ...afterTheEnd })) {
    const { rowCount } = await pool.query(sql);
    if (rowCount) found.push(`${what}: ${rowCount}`);
  }
  return found;
}
