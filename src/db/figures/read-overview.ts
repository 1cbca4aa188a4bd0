import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../sql/outbox.ts';
import { unnamed } from '../sql/statement.ts';
import { callDays, callsCompleteUntil, sumOfLatencies } from './call-hours.ts';
import { bucketSql, jobDays, momentOfDay, type Range, type Scope, sumOfJobs, sumOfRevenue } from './job-days.ts';

/** A bucket, from 1, of which the first is the period before the range; null: the whole range. */
interface InBucket {
  bucket: number | null;
}

/** Jobs that were created in a bucket, and what they took. */
export interface JobSums extends InBucket {
  jobs: number;
  completed: number;
  failed: number;
  cancelled: number;
  open: number;
  credits_charged: number;
  cost_usd: number;
  estimated_cost_usd: number;
  /** Null without a price of credits. */
  margin_usd: number | null;
}

/** Latencies of calls that succeeded, as counts. */
export interface LatencySums extends InBucket {
  latency: (number | null)[];
}

export interface OverviewFigures {
  jobs: JobSums[];
  latencies: LatencySums[];
  cost_by_model_group: { model_group: string | null; cost_usd: number }[];
  newest_failures: {
    job_id: string;
    team_id: string;
    job_type: string;
    completed_at: string;
    error_message: string | null;
  }[];
  calls_complete_until: Date;
}

export interface OverviewQuestion extends Scope, Range {
  /** The beginning of the period before the range, then those of the buckets. */
  starts: Date[];
  usd_per_credit: string | null;
}

/** A row for each bucket, and one for the range, without the period before it. */
const sumsSql = (columns: string, rows: string): string => `
  select coalesce(json_agg(sums), '[]')
    from (select bucket, bucket > 1 as is_in_range, ${columns} from (${rows}) rows
           group by grouping sets ((bucket), (bucket > 1))) sums
   where bucket is not null or is_in_range`;

const jobSums = sumsSql(
  `${sumOfJobs} as jobs, sum(completed_jobs) as completed, sum(failed_jobs) as failed, sum(cancelled_jobs) as cancelled,
   sum(open_jobs) as open, sum(credits_charged) as credits_charged, sum(total_cost_usd) as cost_usd,
   sum(estimated_cost_usd) as estimated_cost_usd,
   ${sumOfRevenue} - sum(total_cost_usd) as margin_usd`,
  `select ${bucketSql(momentOfDay)} as bucket, days.* from (${jobDays}) days`,
);

const calls = `select ${bucketSql('hour')} as bucket, days.* from (${callDays}) days`;

const latencySums = sumsSql(`${sumOfLatencies()} as latency`, `${calls} where outcome = 'succeeded'`);

const costByModelGroup = `
  select coalesce(json_agg(costs order by cost_usd desc, model_group collate "C"), '[]')
    from (select model_group, sum(cost_usd) as cost_usd from (${calls}) calls where bucket > 1 group by model_group) costs`;

const failuresSql = ({ team_id, organization_id }: Scope): string => `
  select coalesce(json_agg(failures), '[]')
    from (select job_id, team_id, job_type, ${isoTimestamp('completed_at')} as completed_at, error_message
            from jobs where status = 'failed' ${team_id === null ? '' : 'and team_id = :team_id'}
             ${organization_id === null ? '' : 'and organization_id = :organization_id'}
           order by jobs.completed_at desc limit 10) failures`;

/** All figures are of one moment. The range begins with the period before: `from` is the first of `starts`. */
export async function readOverview(database: Database, question: OverviewQuestion): Promise<OverviewFigures> {
  const sql = unnamed(`
    select (${jobSums}) as jobs, (${latencySums}) as latencies, (${costByModelGroup}) as cost_by_model_group,
           (${failuresSql(question)}) as newest_failures, ${callsCompleteUntil} as calls_complete_until`);
  const [row] = await database.reports.query<OverviewFigures>(sql, { ...question });
  return row!;
}
