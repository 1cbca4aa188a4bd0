import { jobEnds } from '../../domain/job-state.ts';
import { jobIsOpen } from '../sql/status.ts';
import type { JobFilter } from './list-jobs.ts';

const dayMs = 86_400_000;

/** The filters that `daily_usage` has a column for. */
const columnsOfDays = ['team_id', 'organization_id', 'job_type'] as const;
const isDay = (at: Date | null | undefined): boolean => (at?.getTime() ?? 0) % dayMs === 0;

/** `daily_usage` has the ended jobs by day, team, type and end: counting them reads rows of days, not of jobs. */
const isCountedByDay = ({ user_id, external_task_id, created_from, created_before }: JobFilter): boolean =>
  (user_id ?? external_task_id ?? null) === null && isDay(created_from) && isDay(created_before);

const ends: readonly string[] = jobEnds;

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
  const { status } = filter;
  const isEnd = status && ends.includes(status);
  if (status && !isEnd) ofJobs.push(`status = '${status}'`);
  const sums = (isEnd ? [status] : ends).map((end) => `${end}_jobs`).join(' + ');
  const ended = `(select coalesce(sum(${sums}), 0) from daily_usage where ${ofDays.join(' and ')})`;
  const open = `(select count(*) from jobs where ${ofJobs.join(' and ')})`;
  const wanted = status ? [isEnd ? ended : open] : [ended, open];
  return `select (${wanted.join(' + ')})::int as total`;
}
