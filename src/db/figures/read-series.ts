import type { SeriesGrouping, SeriesMetric, SeriesSource } from '../../domain/usage-series.ts';
import type { Database } from '../connection/database.ts';
import { statement, unnamed } from '../sql/statement.ts';
import { callDays, callHours, callsCompleteUntil } from './call-hours.ts';
import {
  bucketSql,
  inRange,
  inScope,
  jobDays,
  momentOfDay,
  type Range,
  type Scope,
  sumOfJobs,
  sumOfRevenue,
} from './job-days.ts';

export interface SeriesQuestion extends Scope, Range {
  source: SeriesSource;
  metric: SeriesMetric;
  group_by: SeriesGrouping;
  /** The beginnings of the buckets; the first is `from`. Those of the period that is compared come first. */
  starts: Date[];
  /** How many buckets are before those of the range, and how many of these are of the period that is compared with it. */
  before: number;
  compared: number;
  top: number;
  usd_per_credit: string | null;
}

/** A sum of a bucket and a group, both counted from 1. Group 0 is all groups, the last one those that are not shown. */
type Cell = [bucket: number, position: number, value: number];

export interface SeriesAnswer {
  groups: { key: string | null; label: string; total: number; previous: number }[];
  other: { total: number; previous: number; count: number };
  total: number;
  previous: number;
  cells: Cell[];
  now: Date;
  calls_complete_until: Date;
}

/** A select of `bucket`, `key` and `value`. */
type Read = (metric: SeriesMetric, group_by: SeriesGrouping) => string;

const keySql = (group_by: SeriesGrouping): string => (group_by === 'none' ? `'all'` : group_by);

const ofJobDays: Partial<Record<SeriesMetric, string>> = {
  jobs: sumOfJobs,
  calls: 'sum(total_calls)',
  tokens: 'sum(total_tokens)',
  cost_usd: 'sum(total_cost_usd)',
  credits: 'sum(credits_charged - credits_refunded)',
  revenue_usd: `coalesce(${sumOfRevenue}, 0)`,
};

const jobsByOutcome = `
  select ${bucketSql(momentOfDay)} as bucket, outcome as key, sum(jobs) as value
    from (${jobDays}) days
   cross join lateral (values ('completed', completed_jobs), ('failed', failed_jobs), ('cancelled', cancelled_jobs),
                              ('open', open_jobs)) by_outcome (outcome, jobs)
   where jobs > 0 group by 1, 2`;

const readJobDays: Read = (metric, group_by) =>
  group_by === 'outcome'
    ? jobsByOutcome
    : `select ${bucketSql(momentOfDay)} as bucket, ${keySql(group_by)} as key, ${ofJobDays[metric]} as value
         from (${jobDays}) days group by 1, 2`;

const readLedgerDays: Read = (_, group_by) => `
  select ${bucketSql(momentOfDay)} as bucket, ${keySql(group_by)} as key, sum(credits_used) as value
    from daily_credits c where ${inRange('day')} and ${inScope('c')} group by 1, 2`;

const ofCalls: Partial<Record<SeriesMetric, string>> = {
  calls: 'sum(calls)',
  tokens: 'sum(tokens)',
  cost_usd: 'sum(cost_usd)',
};

const readCalls =
  (sums: string): Read =>
  (metric, group_by) =>
    `
  select ${bucketSql('hour')} as bucket, ${keySql(group_by)} as key, ${ofCalls[metric]} as value
    from (${sums}) calls group by 1, 2`;

const ofJobs: Partial<Record<SeriesMetric, string>> = {
  jobs: 'count(*)',
  calls: 'sum(total_calls)',
  tokens: 'sum(total_tokens)',
  cost_usd: 'sum(total_cost_usd)',
  credits: 'sum(credits)',
};

/** A job has one deduction and one refund at most. Each has an index of its own. */
const withCredits = `
  (select j.*, coalesce(d.credits_amount, 0) - coalesce(r.credits_amount, 0) as credits
     from jobs j
     left join credit_transactions d on d.job_id = j.job_id and d.transaction_type = 'deduction'
     left join credit_transactions r on r.job_id = j.job_id and r.transaction_type = 'refund')`;

const readJobs: Read = (metric, group_by) => `
  select ${bucketSql('created_at')} as bucket, ${keySql(group_by)} as key, ${ofJobs[metric]} as value
    from ${metric === 'credits' ? withCredits : 'jobs'} j
   where created_at >= :from and created_at < :until and ${inScope('j')}
   group by 1, 2`;

const reads: Record<SeriesSource, Read> = {
  job_days: readJobDays,
  ledger_days: readLedgerDays,
  call_hours: readCalls(callHours),
  call_days: readCalls(callDays),
  jobs: readJobs,
};

const labels: Partial<Record<SeriesGrouping, string>> = {
  team_id: '(select t.team_alias from teams t where t.team_id = key)',
  organization_id: '(select o.name from organizations o where o.organization_id = key)',
};

/**
 * Groups get their positions by sorting, not by a join of rows with groups: a join by `is not distinct from` compares each row with each
 * group, and a team has as many groups as it has users.
 */
const seriesSql = ({ source, metric, group_by }: SeriesQuestion): string => `
  with found as materialized (${reads[source](metric, group_by)}),
  numbered as materialized (
    select bucket, key, value, total, previous, dense_rank() over (order by total desc, key collate "C") as position
      from (select *, sum(value) filter (where bucket > :before) over (partition by key) as total,
                   coalesce(sum(value) filter (where bucket <= :compared) over (partition by key), 0) as previous from found) summed
     where total is not null
  ), ranked as materialized (
    select key, total, previous, position from numbered group by key, total, previous, position
  ), compared as materialized (
    select coalesce(sum(value), 0) as previous from found where bucket <= :compared
  ), cells as (
    select bucket, least(position, :top + 1) as position, sum(value) as value from numbered where bucket > :before group by 1, 2
    union all
    select bucket, 0, sum(value) from found where bucket > :before or bucket <= :compared group by 1
  )
  select (select coalesce(json_agg(json_build_object('key', key, 'label', coalesce(${labels[group_by] ?? 'null'}, key, '(none)'),
                                                     'total', total, 'previous', previous) order by position), '[]')
            from ranked where position <= :top) as groups,
         (select json_build_object('total', coalesce(sum(total), 0), 'count', count(*),
                                   'previous', (select previous from compared)
                                     - (select coalesce(sum(previous), 0) from ranked where position <= :top))
            from ranked where position > :top) as other,
         (select coalesce(sum(total), 0) from ranked) as total, (select previous from compared) as previous,
         (select coalesce(json_agg(json_build_array(bucket, position, value)), '[]') from cells) as cells,
         now() as now, ${callsCompleteUntil} as calls_complete_until`;

/** Each metric has a statement of its own; all figures of an answer are of one moment. */
export async function readSeries(database: Database, question: SeriesQuestion): Promise<SeriesAnswer> {
  const { source: _, metric: __, group_by: ___, ...values } = question;
  const sql = unnamed(seriesSql(question));
  const used = Object.fromEntries(Object.entries(values).filter(([name]) => sql.parameters.includes(name)));
  const [row] = await database.reports.query<
    Omit<SeriesAnswer, 'total' | 'previous'> & { total: string; previous: string }
  >(sql, used);
  return { ...row!, total: Number(row!.total), previous: Number(row!.previous) };
}

const pricedSql = statement(
  'any_team_has_price',
  'select exists (select from teams where usd_per_credit is not null) as has_price',
);

/** Whether credits bring in something where the installation has no price of them. */
export async function anyTeamHasPrice(database: Database): Promise<boolean> {
  const [row] = await database.reports.query<{ has_price: boolean }>(pricedSql);
  return row!.has_price;
}
