import { isFinished, jobStatuses } from '../../domain/job-state.ts';
import { isOneOf, jobIsOpen } from '../sql/status.ts';
import { filteredBy, type JobFilter, type JobFilterName } from './job-filter.ts';

const dayMs = 86_400_000;

/** The filters that `daily_usage` has a column for. */
const columnsOfDays = ['team_id', 'organization_id', 'job_type'] as const;
const isDay = (at: Date | null | undefined): boolean => (at?.getTime() ?? 0) % dayMs === 0;

const countedByDay: readonly JobFilterName[] = [...columnsOfDays, 'status', 'created_from', 'created_before'];

/** `daily_usage` has the ended jobs by day, team, type and end: counting them reads rows of days, not of jobs. */
const isCountedByDay = (filter: JobFilter): boolean =>
  filteredBy(filter).every((name) => countedByDay.includes(name)) &&
  isDay(filter.created_from) &&
  isDay(filter.created_before);

const dayOf = (time: string): string => `(${time}::timestamptz at time zone 'utc')::date`;

/**
 * A select of `total`, the number of jobs that match the filter, without looking at each; undefined when `daily_usage` does
 * not have it. Both parts see one moment, at which a job is open or has ended, never both.
 */
export function countByDay(filter: JobFilter): string | undefined {
  if (!isCountedByDay(filter)) return undefined;
  const ofJobs = [jobIsOpen()];
  const ofDays = ['true'];
  const restrict = (name: keyof JobFilter, ofJob: string, ofDay = ofJob) => {
    if ((filter[name] ?? null) === null) return;
    ofJobs.push(ofJob);
    ofDays.push(ofDay);
  };
  for (const name of columnsOfDays) restrict(name, `${name} = :${name}`);
  restrict('created_from', 'created_at >= :created_from', `day >= ${dayOf(':created_from')}`);
  restrict('created_before', 'created_at < :created_before', `day < ${dayOf(':created_before')}`);
  const statuses = filter.status ? [...new Set([filter.status].flat())] : jobStatuses;
  const ends = statuses.filter(isFinished);
  const open = statuses.filter((status) => !isFinished(status));
  if (filter.status) ofJobs.push(isOneOf('status', open));
  const sums = ends.map((end) => `${end}_jobs`).join(' + ');
  const ended = `(select coalesce(sum(${sums}), 0) from daily_usage where ${ofDays.join(' and ')})`;
  const unfinished = `(select count(*) from jobs where ${ofJobs.join(' and ')})`;
  const wanted = [...(ends.length > 0 ? [ended] : []), ...(open.length > 0 ? [unfinished] : [])];
  return `select (${wanted.join(' + ')})::int as total`;
}
