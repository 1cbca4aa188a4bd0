import type { Database } from '../connection/database.ts';
import { unnamed } from '../sql/statement.ts';
import { bucketSql, jobDays, momentOfDay, type Range, type Scope, sumOfJobs, sumOfRevenue } from './job-days.ts';

export interface MarginSums {
  jobs: number;
  charged_jobs: number;
  free_jobs: number;
  failed_jobs: number;
  credits_charged: number;
  credits_refunded: number;
  credits: number;
  /** Null without a price of credits. */
  revenue_usd: number | null;
  cost_usd: number;
  free_cost_usd: number;
  failed_cost_usd: number;
  estimated_cost_usd: number;
  margin_usd: number | null;
  /** Null without revenue. */
  margin_percent: number | null;
}

export type MarginGrouping = 'job_type' | 'team_id' | 'organization_id';

export interface MarginQuestion extends Scope, Range {
  most_rows: number;
  group_by: MarginGrouping;
  usd_per_credit: string | null;
  /** The beginnings of the buckets; the first is `from`. */
  starts: Date[];
}

export interface MarginFigures {
  total: MarginSums;
  rows: (MarginSums & { key: string; label: string })[];
  rows_total: number;
  /** Of the buckets with jobs, which are counted from 1. */
  points: (MarginSums & { bucket: number })[];
  now: Date;
}

const labels: Record<MarginGrouping, string> = {
  job_type: 'key',
  team_id: 'coalesce((select t.team_alias from teams t where t.team_id = key), key)',
  organization_id: 'coalesce((select o.name from organizations o where o.organization_id = key), key)',
};

const zeroWithout = (sum: string): string => `coalesce(${sum}, 0)`;

const sums = `
  ${zeroWithout(sumOfJobs)} as jobs, ${zeroWithout('sum(charged_jobs)')} as charged_jobs,
  ${zeroWithout('sum(completed_jobs + failed_jobs + cancelled_jobs - charged_jobs)')} as free_jobs,
  ${zeroWithout('sum(failed_jobs)')} as failed_jobs, ${zeroWithout('sum(credits_charged)')} as credits_charged,
  ${zeroWithout('sum(credits_refunded)')} as credits_refunded,
  ${zeroWithout('sum(credits_charged - credits_refunded)')} as credits, ${zeroWithout('sum(total_cost_usd)')} as cost_usd,
  ${zeroWithout('sum(free_cost_usd)')} as free_cost_usd, ${zeroWithout('sum(failed_cost_usd)')} as failed_cost_usd,
  ${zeroWithout('sum(estimated_cost_usd)')} as estimated_cost_usd,
  coalesce(${sumOfRevenue}, case when :usd_per_credit::numeric is not null then 0 end) as revenue_usd`;

const withMargin = `
  revenue_usd - cost_usd as margin_usd, round(100 * (revenue_usd - cost_usd) / nullif(revenue_usd, 0), 2) as margin_percent`;

/** Rows at most, and of the period before: whoever is in the first ones now may have been far behind then. */
export const maxRows = 1_000;
export const maxRowsBefore = 20_000;

const marginsSql = (group_by: MarginGrouping): string => `
  with days as materialized (${jobDays}),
  by_key as materialized (select ${group_by} as key, ${sums} from days group by 1),
  by_bucket as (select ${bucketSql(momentOfDay)} as bucket, ${sums} from days group by 1)
  select (select row_to_json(total) from (select sums.*, ${withMargin} from (select ${sums} from days) sums) total) as total,
         (select coalesce(json_agg(shown), '[]')
            from (select key, ${labels[group_by]} as label, by_key.*, ${withMargin} from by_key
                   order by cost_usd desc, key collate "C" limit :most_rows) shown) as rows,
         (select coalesce(json_agg(points order by bucket), '[]') from (select by_bucket.*, ${withMargin} from by_bucket) points) as points,
         (select count(*) from by_key) as rows_total, now() as now`;

/** The rows and their total are of one moment. */
export async function readMargins(database: Database, { group_by, ...values }: MarginQuestion): Promise<MarginFigures> {
  const [row] = await database.reports.query<MarginFigures>(unnamed(marginsSql(group_by)), values);
  return row!;
}
