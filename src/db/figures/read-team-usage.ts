import type { Month } from '../../domain/time/month.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

/** Jobs and what they took. `total_cost_usd` is an exact decimal. */
export interface JobTotals {
  total_jobs: number;
  completed_jobs: number;
  failed_jobs: number;
  cancelled_jobs: number;
  total_cost_usd: string;
  total_tokens: number;
}

/** The rows of daily totals from `:from` to before `:until`, the first moments of two months. */
export const inMonth = `day >= (:from::timestamptz at time zone 'utc')::date
        and day < (:until::timestamptz at time zone 'utc')::date`;

/** The jobs of one type that were created in the month. */
export interface JobTypeUsage extends JobTotals {
  job_type: string;
}

const sql = statement(
  'read_team_usage',
  `with finished as (
     select job_type, completed_jobs + failed_jobs + cancelled_jobs as jobs, completed_jobs, failed_jobs, cancelled_jobs,
            total_cost_usd, total_tokens
       from daily_usage
      where team_id = :team_id and ${inMonth}
   ), unfinished as (
     select job_type, 1 as jobs, 0, 0, 0, total_cost_usd, total_tokens
       from jobs
      where team_id = :team_id and ${jobIsOpen()} and created_at >= :from and created_at < :until
   )
   select job_type, sum(jobs)::bigint as total_jobs, sum(completed_jobs)::bigint as completed_jobs,
          sum(failed_jobs)::bigint as failed_jobs, sum(cancelled_jobs)::bigint as cancelled_jobs,
          sum(total_cost_usd) as total_cost_usd, sum(total_tokens)::bigint as total_tokens
     from (select * from finished union all select * from unfinished) all_jobs
    group by job_type order by job_type collate "C"`,
);

/** Reads the usage by job type: a row for each day and type of the month, and the team's open jobs. */
export const readTeamUsage = (database: Database, teamId: string, { from, until }: Month): Promise<JobTypeUsage[]> =>
  database.reports.query<JobTypeUsage>(sql, { team_id: teamId, from, until });
