import pg from 'pg';
import { latencyBuckets } from '../../src/domain/latency-histogram.ts';
import { checkLedger } from '../../test/support/ledger.ts';

/** Jobs whose receipts are opened: one with a usual number of calls, and a long one. */
export const receipts = {
  usual: { jobId: '00000000-0000-4000-8000-000000000012', calls: 12 },
  long: { jobId: '00000000-0000-4000-8000-000000005000', calls: 5_000 },
};

/** Values that the lists are filtered by. The first team has a seventh of the jobs, the last one a hundredth. */
export const filled = { largeTeam: 'filled-01', smallTeam: 'filled-50', organization: 'filled-1' };

const organizationsAndTeams = `
  insert into organizations (organization_id, name) select 'filled-' || n, 'Filled ' || n from generate_series(1, 3) n;
  insert into teams (team_id, proxy_team_id, organization_id, team_alias)
  select id, id, 'filled-' || 1 + n % 3, 'Team ' || n from generate_series(1, 50) n, lateral (select 'filled-' || lpad(n::text, 2, '0') as id) named;`;

/** Over the last 90 days: a tenth failed, a fortieth cancelled, and some completed ones that were not charged. */
const jobsSql = (count: number): string => `
  insert into jobs (job_id, team_id, organization_id, job_type, user_id, external_task_id, status, metadata, model_groups_used,
                    credit_applied, credits_charged, error_message, created_at, started_at, completed_at, updated_at, total_calls,
                    failed_calls, total_prompt_tokens, total_completion_tokens, total_tokens, total_cost_usd, total_latency_ms, ended_by, budget_mode)
  select gen_random_uuid(), 'filled-' || lpad(team::text, 2, '0'), 'filled-' || 1 + team % 3, 'type-' || n % 20, 'user-' || n % 1000,
         case when n % 3 = 0 then 'task-' || n end, status, jsonb_build_object('customer', 'customer-' || n % 500, 'priority', n % 4),
         array[(array['fast', 'smart', 'cheap', 'vision'])[1 + n % 4]], charged, charged::int,
         case status when 'failed' then 'The model refused: timeout of the provider' end,
         at, at + interval '20 ms', ended, ended, calls, failed, calls * 900, calls * 300, calls * 1200, calls * 0.0042,
         (extract(epoch from ended - at) * 900)::bigint, 'client', 'job_based'
    from generate_series(1, ${count}) n,
         lateral (select now() - interval '10 minutes' - n * interval '90 days' / ${count} as at,
                         1 + floor(50 * power(n * 0.6180339887 % 1, 2))::int as team, 1 + n % 8 as calls,
                         case when n % 10 = 0 then 'failed' when n % 40 = 1 then 'cancelled' else 'completed' end as status) made,
         lateral (select at + (2 + n % 240) * interval '1 second' as ended,
                         case when status = 'failed' or n % 23 = 0 then 1 else 0 end as failed) timed,
         lateral (select status = 'completed' and failed = 0 as charged) priced;`;

/** A job with this number of calls, one after the other, each with an attempt. */
const receiptSql = ({ jobId, calls }: (typeof receipts)['usual']): string => `
  with job as (
    insert into jobs (job_id, team_id, organization_id, job_type, status, model_groups_used, credit_applied, credits_charged, created_at, started_at,
                      completed_at, updated_at, total_calls, total_prompt_tokens, total_completion_tokens, total_tokens, total_cost_usd,
                      total_latency_ms, credits_remaining, ended_by, budget_mode)
    select '${jobId}'::uuid, 'filled-01', 'filled-2', 'receipt', 'completed', '{fast}', true, 1, at, at, at + ${calls} * interval '2 seconds',
           at + ${calls} * interval '2 seconds', ${calls}, ${calls} * 900, ${calls} * 300, ${calls} * 1200, ${calls} * 0.0042, ${calls} * 1500, 1000, 'client', 'job_based'
      from (select now() - interval '1 day' as at) made returning job_id, team_id, created_at
  ), made as (
    insert into calls (call_id, job_id, team_id, purpose, requested_model, model_group_used, candidates, resolved_model, model_used, streamed, status,
                       worker_attempt, prompt_tokens, completion_tokens, total_tokens, cost_usd, latency_ms, finish_reason, created_at, started_at,
                       finished_at, recorded_at)
    select gen_random_uuid(), job_id, team_id, 'step ' || n, 'fast', 'fast', '[{"model": "fast-1", "inputPerMillion": "2", "outputPerMillion": "8"}]',
           'fast-1', 'fast-1', false, 'succeeded', 1, 900, 300, 1200, 0.0042, 1500, 'stop', at, at + interval '10 ms', at + interval '1510 ms', now()
      from job, generate_series(1, ${calls}) n, lateral (select created_at + (n - 1) * interval '2 seconds' as at) timed order by n
    returning call_id, created_at
  )
  insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, latency_ms, prompt_tokens, completion_tokens, cost_usd, created_at)
  select call_id, 1, 1, 'fast-1', 'succeeded', 1500, 900, 300, 0.0042, created_at from made;`;

/** Half of the calls took about a second, the others about three. */
const latency = `array_fill(0, array[12]) || array[(sum(calls) / 2)::int, 0, 0, (sum(calls) - sum(calls) / 2)::int]
                   || array_fill(0, array[${latencyBuckets - 16}])`;

/** The ledger and the sums of the days and hours, as the triggers and maintenance would have written them. */
const sums = `
  insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount, credits_before, credits_after, reason, created_at)
  select gen_random_uuid(), team_id, organization_id, 'allocation', 1000000, 0, 1000000, 'Yearly budget', now() - interval '91 days'
    from teams where team_id like 'filled-%';
  insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type, credits_amount, credits_before, credits_after, reason, created_at)
  select gen_random_uuid(), team_id, organization_id, job_id, 'deduction', 1, 1000001 - position, 1000000 - position, 'Job completed', completed_at
    from (select j.*, row_number() over (partition by team_id order by completed_at, job_id) as position from jobs j
           where credit_applied and team_id like 'filled-%') charged order by completed_at, job_id;
  insert into credit_accounts (team_id, organization_id, credits_allocated, credits_used, credit_limit)
  select team_id, organization_id, 1000000, count(*) filter (where transaction_type = 'deduction'), 1000000
    from credit_transactions where team_id like 'filled-%' group by 1, 2;
  insert into daily_credits (team_id, organization_id, day, credits_used, deductions, allocations, deducted, allocated)
  select team_id, organization_id, (created_at at time zone 'utc')::date, count(*) filter (where transaction_type = 'deduction'),
         count(*) filter (where transaction_type = 'deduction'), count(*) filter (where transaction_type = 'allocation'),
         coalesce(sum(credits_amount) filter (where transaction_type = 'deduction'), 0),
         coalesce(sum(credits_amount) filter (where transaction_type = 'allocation'), 0)
    from credit_transactions where team_id like 'filled-%' group by 1, 2, 3;
  insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, failed_jobs, cancelled_jobs, total_cost_usd, total_tokens,
                           total_calls, failed_calls, charged_jobs, credits_charged, free_cost_usd, failed_cost_usd)
  select team_id, organization_id, (created_at at time zone 'utc')::date, job_type, count(*) filter (where status = 'completed'),
         count(*) filter (where status = 'failed'), count(*) filter (where status = 'cancelled'), sum(total_cost_usd), sum(total_tokens),
         sum(total_calls), sum(failed_calls), count(*) filter (where credit_applied), sum(credits_charged),
         coalesce(sum(total_cost_usd) filter (where not credit_applied), 0), coalesce(sum(total_cost_usd) filter (where status = 'failed'), 0)
    from jobs where team_id like 'filled-%' group by 1, 2, 3, 4;
  create temporary table ended_calls as
  select date_trunc('hour', completed_at, 'utc') as hour, team_id, model_groups_used[1] as model_group, outcome, calls::int, calls * 1200 as tokens, calls * 0.0042 as cost_usd
    from jobs, lateral (values ('succeeded', total_calls - failed_calls), ('timeout', failed_calls)) ended (outcome, calls)
   where team_id like 'filled-%' and calls > 0 and job_type <> 'receipt';
  insert into hourly_calls (hour, team_id, model_group, model, outcome, calls, fallbacks, tokens, cost_usd, latency)
  select hour, team_id, model_group, model_group || '-1', outcome, sum(calls), 0, sum(tokens), sum(cost_usd), ${latency}
    from ended_calls group by 1, 2, 3, 4, 5;
  insert into daily_calls (day, team_id, model_group, outcome, calls, fallbacks, tokens, cost_usd, latency)
  select (hour at time zone 'utc')::date, team_id, model_group, outcome, sum(calls), 0, sum(tokens), sum(cost_usd), ${latency}
    from ended_calls group by 1, 2, 3, 4;
  insert into hourly_attempts (hour, model, model_group, outcome, attempts, tokens, cost_usd, latency)
  select hour, model_group || '-1', model_group, outcome, sum(calls), sum(tokens), sum(cost_usd), ${latency}
    from ended_calls group by 1, 2, 3, 4;
  drop table ended_calls;`;

const filledTables = [
  'organizations teams jobs calls call_attempts credit_accounts credit_transactions daily_credits daily_usage',
  'hourly_calls daily_calls hourly_attempts',
].flatMap((names) => names.split(' '));

/** What does not hold of a filled database: its jobs have sums of calls, and only those of `receipts` have the calls. */
const withoutCalls =
  /^(a job is not the sum of its recorded calls|the calls of an hour are not those that were recorded)/;

/**
 * Ended jobs of 50 teams with their ledger and all sums, as the gateway would have written them. The triggers, which would take hours, are
 * off, and the checker of the tests looks at the result instead. A database that is filled is left as it is.
 */
export async function fillInstallation(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ jobs: number }>(
      `select count(*)::int as jobs from jobs where team_id like 'filled-%'`,
    );
    const existing = rows[0]!.jobs;
    if (existing >= count) return;
    if (existing > 0) throw new Error(`the database is filled with ${existing} jobs, and not with ${count}`);
    await client.query(`begin; set local session_replication_role = replica; ${organizationsAndTeams} ${jobsSql(count)}
                        ${Object.values(receipts).map(receiptSql).join('')} ${sums} commit`);
    for (const table of filledTables) await client.query(`vacuum analyze ${table}`);
    const offences = (await checkLedger({ pool: client })).filter((offence) => !withoutCalls.test(offence));
    if (offences.length > 0) throw new Error(`the database is filled wrongly: ${offences.join(', ')}`);
  } finally {
    await client.end();
  }
}
