import { jobIsOpen } from '../sql/status.ts';

/** The scope of figures: null is everybody. */
export interface Scope {
  team_id: string | null;
  organization_id: string | null;
}

/** The range is from `from` to before `until`. */
export interface Range {
  from: Date;
  until: Date;
}

/** A condition on a table with both ids. Null is the same as no condition: the statements are planned with their values. */
export const inScope = (table: string): string =>
  `(:team_id::text is null or ${table}.team_id = :team_id)
      and (:organization_id::text is null or ${table}.organization_id = :organization_id)`;

export const inRange = (column: string): string =>
  `${column} >= (:from::timestamptz at time zone 'utc')::date and ${column} < (:until::timestamptz at time zone 'utc')::date`;

/** The teams with a price of credits of their own, by the column `team_id` of the table before. */
const pricedTeams = `left join (select team_id, usd_per_credit from teams where usd_per_credit is not null) priced using (team_id)`;

/**
 * A select of the jobs of the scope that were created in the range, a row for each day, team and job type, and a row for each job that
 * is open. Read in one statement, each job is in one of the two.
 */
export const jobDays = `
  select day, team_id, organization_id, job_type, completed_jobs, failed_jobs, cancelled_jobs, 0 as open_jobs,
         total_calls, total_tokens, total_cost_usd, charged_jobs, credits_charged, credits_refunded, priced_credits, revenue_usd,
         free_cost_usd, failed_cost_usd, estimated_cost_usd, priced.usd_per_credit as team_price
    from daily_usage u ${pricedTeams} where ${inRange('day')} and ${inScope('u')}
  union all
  select (created_at at time zone 'utc')::date, team_id, organization_id, job_type, 0, 0, 0, 1,
         total_calls, total_tokens, total_cost_usd, 0, 0, 0, 0, 0, 0, 0, estimated_cost_usd, priced.usd_per_credit
    from jobs j ${pricedTeams} where ${jobIsOpen('j.status')} and created_at >= :from and created_at < :until and ${inScope('j')}`;

/** Sums the jobs of `jobDays`. */
export const sumOfJobs = 'sum(completed_jobs + failed_jobs + cancelled_jobs + open_jobs)';

const presentPrice = 'coalesce(team_price, :usd_per_credit::numeric)';

/**
 * Sums what the credits of `jobDays` brought in: at the price when they were charged, or else at the present one of their team. Teams
 * without a present price bring in nothing; null where no team has one. `spec 19.42`, `spec 21.7`
 */
export const sumOfRevenue = `sum(revenue_usd + (credits_charged - credits_refunded - priced_credits) * ${presentPrice})
     filter (where ${presentPrice} is not null)`;

/** The bucket of a moment, from 1: `:starts` are the beginnings of all of them. */
export const bucketSql = (moment: string): string => `width_bucket(${moment}, :starts::timestamptz[])`;

export const momentOfDay = "day::timestamp at time zone 'utc'";
