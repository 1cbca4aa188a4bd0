import { type FinalJobStatus, isFinished, type JobStatus, jobStatuses } from '../../domain/job-state.ts';
import { dayMs } from '../../domain/time/buckets.ts';
import { isOneOf, jobIsOpen } from '../sql/status.ts';
import { filteredBy, type JobFilter, type JobFilterName } from './job-filter.ts';

/** The filters that `daily_usage` has a column for. */
const columnsOfDays = ['team_id', 'organization_id', 'job_type'] as const;
const isDay = (at: Date | null | undefined): boolean => (at?.getTime() ?? 0) % dayMs === 0;

const countedByDay: readonly JobFilterName[] = [...columnsOfDays, 'status', 'created_from', 'created_before'];

/** `daily_usage` has the ended jobs by day, team, type and end: counting them reads rows of days, not of jobs. */
const isCountedByDay = (filter: JobFilter): boolean =>
  filteredBy(filter).every((name) => countedByDay.includes(name)) &&
  isDay(filter.created_from) &&
  isDay(filter.created_before);

const daySql = (time: string): string => `(${time}::timestamptz at time zone 'utc')::date`;

interface ByDay {
  /** Conditions of the jobs that are open, and of the rows of `daily_usage` for those that have ended. */
  ofJobs: string;
  ofDays: string;
  /** What may match. */
  ends: readonly FinalJobStatus[];
  open: readonly JobStatus[];
}

/** How the jobs that match are counted by day; undefined when `daily_usage` does not have what they are filtered by. */
function byDay(filter: JobFilter): ByDay | undefined {
  if (!isCountedByDay(filter)) return undefined;
  const ofJobs = [jobIsOpen()];
  const ofDays = ['true'];
  const restrict = (name: keyof JobFilter, ofJob: string, ofDay = ofJob) => {
    if ((filter[name] ?? null) === null) return;
    ofJobs.push(ofJob);
    ofDays.push(ofDay);
  };
  for (const name of columnsOfDays) restrict(name, `${name} = :${name}`);
  restrict('created_from', 'created_at >= :created_from', `day >= ${daySql(':created_from')}`);
  restrict('created_before', 'created_at < :created_before', `day < ${daySql(':created_before')}`);
  const statuses: readonly JobStatus[] = filter.status ? [...new Set([filter.status].flat())] : jobStatuses;
  const open = statuses.filter((status) => !isFinished(status));
  if (filter.status && open.length > 0) ofJobs.push(isOneOf('status', open));
  return { ofJobs: ofJobs.join(' and '), ofDays: ofDays.join(' and '), ends: statuses.filter(isFinished), open };
}

/**
 * A select of `total`, the number of jobs that match the filter, without looking at each; undefined when `daily_usage` does
 * not have it. Both parts see one moment, at which a job is open or has ended, never both.
 */
export function countByDay(filter: JobFilter): string | undefined {
  const days = byDay(filter);
  if (!days) return undefined;
  const sums = days.ends.map((end) => `${end}_jobs`).join(' + ');
  const ended = `(select coalesce(sum(${sums}), 0) from daily_usage where ${days.ofDays})`;
  const open = `(select count(*) from jobs where ${days.ofJobs})`;
  const wanted = [...(days.ends.length > 0 ? [ended] : []), ...(days.open.length > 0 ? [open] : [])];
  return `select (${wanted.join(' + ')})::int as total`;
}

/** A select of `at`, `status` and `jobs` for each day, in the same way. */
export function histogramByDay(filter: JobFilter): string | undefined {
  const days = byDay(filter);
  if (!days) return undefined;
  const startSql = (day: string) => `(${day}::timestamp at time zone 'utc')`;
  const ended = days.ends.map(
    (end) => `select ${startSql('day')} as at, '${end}' as status, sum(${end}_jobs)::int as jobs
                from daily_usage where ${days.ofDays} group by day`,
  );
  const open = `select date_trunc('day', created_at, 'utc') as at, status, count(*)::int as jobs
                  from jobs where ${days.ofJobs} group by 1, 2`;
  return [...ended, ...(days.open.length > 0 ? [open] : [])].join(' union all ');
}

/** A select of `jobs` and of the sums of their calls, in the same way; by day there are no sums of one status. */
export function sumsByDay(filter: JobFilter): string | undefined {
  const days = filter.status ? undefined : byDay(filter);
  return (
    days &&
    `select completed_jobs + failed_jobs + cancelled_jobs as jobs, total_calls, failed_calls, total_tokens, total_cost_usd, credits_charged
       from daily_usage where ${days.ofDays}
     union all
     select 1, total_calls, failed_calls, total_tokens, total_cost_usd, credits_charged from jobs where ${days.ofJobs}`
  );
}
