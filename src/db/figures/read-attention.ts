import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../sql/outbox.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { callsCompleteUntil, isError } from './call-hours.ts';

/** The rows are as many as wanted at most; `total` is how many there are. */
interface Found<Row> {
  rows: Row[];
  total: number;
}

export interface AttentionFigures {
  /** Fixed budgets below the part of their last allocation that is low. */
  teams: Found<{
    team_id: string;
    team_alias: string | null;
    credits_remaining: number;
    base: number | null;
    since: string | null;
  }>;
  budgets: Found<{ team_id: string; calls: number; since: string }>;
  webhooks: Found<{ webhook_id: string; team_id: string | null; webhook_url: string; failing_since: string }>;
  /** Counted from the beginning of the hour before this one. */
  models: Found<{ model: string; attempts: number; errors: number; counted_from: string }>;
  jobs: Found<{ job_id: string; team_id: string; job_type: string; idle_since: string }>;
  now: Date;
  calls_complete_until: Date;
}

/** Open jobs that are looked at, the oldest first. */
const jobsLookedAt = 1_000;

const found = (rows: string, order: string): string => `
  (select json_build_object('total', count(*), 'rows', coalesce(json_agg(found order by position) filter (where position <= :listed), '[]'))
     from (select row_number() over (order by ${order}) as position, rows.* from (${rows}) rows) found)`;

/** Teams whose balance is below a tenth of that after the last allocation, or without an allocation at zero: since the row after the last one that was not. */
const teams = `
  select t.team_id, t.team_alias, a.credits_remaining, allocation.credits_after as base,
         (select ${isoTimestamp('coalesce(min(l.created_at), t.created_at)')} from credit_transactions l
           where l.team_id = t.team_id and l.position > coalesce(enough.position, -1)) as since
    from credit_accounts a join teams t on t.team_id = a.team_id and t.status = 'active'
    left join lateral (select l.credits_after from credit_transactions l
                        where l.team_id = a.team_id and l.transaction_type = 'allocation'
                        order by l.position desc limit 1) allocation on true
    left join lateral (select l.position from credit_transactions l
                        where l.team_id = a.team_id and l.credits_after > 0
                          and (a.credits_remaining <= 0 or l.credits_after * 10::bigint >= allocation.credits_after)
                        order by l.position desc limit 1) enough on true
   where a.credit_limit is not null
     and (a.credits_remaining <= 0 or a.credits_remaining * 10::bigint < allocation.credits_after)`;

/** Teams whose calls failed for a budget of the upstream. */
const budgets = `
  select team_id, count(*) as calls, ${isoTimestamp('min(finished_at)')} as since
    from calls where failure = 'over_budget' and finished_at > now() - interval '1 hour' group by team_id`;

const webhooks = `
  select webhook_id, team_id, webhook_url, ${isoTimestamp('failing_since')} as failing_since
    from webhooks where is_active and failing_since is not null`;

/** Models with errors in the hour of now and the one before. Two errors may be chance. */
const models = `
  select model, sum(attempts) as attempts, sum(attempts) filter (where ${isError}) as errors,
         ${isoTimestamp(`(date_trunc('hour', now(), 'utc') - interval '1 hour')`)} as counted_from
    from hourly_attempts
   where hour >= date_trunc('hour', now(), 'utc') - interval '1 hour' and outcome <> 'cancelled'
   group by model
  having sum(attempts) filter (where ${isError}) > 2 and sum(attempts) filter (where ${isError}) * 20 > sum(attempts)`;

/** Jobs without a call under way or one that ended later. Those that calls made for their task end when they are idle: that is their way. */
const jobs = `
  select job_id, team_id, job_type, ${isoTimestamp('idle_since')} as idle_since
    from (select j.job_id, j.team_id, j.job_type,
                 greatest(j.updated_at, (select max(coalesce(latest.finished_at, 'infinity'))
                                           from (select c.finished_at from calls c where c.job_id = j.job_id
                                                  order by c.position desc limit 20) latest)) as idle_since
            from (select * from jobs where ${jobIsOpen()} and not for_task and created_at < :idle_before
                   order by created_at limit ${jobsLookedAt}) j) idle
   where idle_since < :idle_before`;

const sql = statement(
  'attention_figures',
  `select ${found(teams, 'credits_remaining <= 0 desc, credits_remaining::numeric / nullif(base, 0), team_id')} as teams,
          ${found(budgets, 'calls desc, team_id')} as budgets,
          ${found(webhooks, 'failing_since, webhook_id')} as webhooks,
          ${found(models, 'errors::numeric / attempts desc, model')} as models,
          ${found(jobs, 'idle_since, job_id')} as jobs,
          now() as now, ${callsCompleteUntil} as calls_complete_until`,
);

/** A job in which nothing has happened for this part of its idle timeout is about to be ended. */
const nearIdleEnd = 0.9;

/** Rows of each kind, `listed` at most. */
export async function readAttention(
  database: Database,
  { idleMs, listed }: { idleMs: number; listed: number },
): Promise<AttentionFigures> {
  const idleBefore = new Date(Date.now() - nearIdleEnd * idleMs);
  const [row] = await database.reports.query<AttentionFigures>(sql, { idle_before: idleBefore, listed });
  return row!;
}
