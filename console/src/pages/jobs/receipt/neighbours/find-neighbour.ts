import type { JobFilters } from '../../../../api/jobs.ts';
import type { Job, JobList } from '../../../../api/types.ts';
import { type JobListSearch, toFilters } from '../../../../components/jobs/job-search.ts';
import { lastMoment, type RangeSearch } from '../../../../url/time-range.ts';

/** The row before, or the one after it, in the list. */
export type Step = 'previous' | 'next';

/** A row of the list: where the job is in it, also when it does not match its filters any more. */
export type JobPosition = Pick<Job, 'job_id' | 'created_at'>;

/** `jobId` is null at the end of the list. A cursor instead of it: no page that was read has one, and the next begins there. */
export type Neighbour = { jobId: string | null; cursor?: undefined } | { jobId?: undefined; cursor: string };

type List = JobListSearch & RangeSearch;

const isTowardsNewer = (step: Step, { order }: List): boolean => (step === 'previous') !== (order === 'oldest');

/**
 * The list from the job on, in the direction of the step; undefined where the job is beyond that end of its range. The time of creation
 * is the position: no page before it is read.
 */
export function queryFrom(job: JobPosition, list: List, step: Step, now?: number): JobFilters | undefined {
  const filters = toFilters(list, now);
  const [from, to] = [filters.start_date as string | undefined, filters.end_date as string | undefined];
  const at = Date.parse(job.created_at);
  if (isTowardsNewer(step, list)) {
    if (to && at > lastMoment(to)) return undefined;
    return { ...filters, start_date: from && at < Date.parse(from) ? from : job.created_at, order: 'asc' };
  }
  if (from && at < Date.parse(from)) return undefined;
  return { ...filters, end_date: to && at > lastMoment(to) ? to : job.created_at, order: 'desc' };
}

/** Whether a job is newer. Of two of the same millisecond it is the one with the lower id, as the service sorts them. */
const isNewer = (one: JobPosition, other: JobPosition): boolean =>
  one.created_at === other.created_at ? one.job_id < other.job_id : one.created_at > other.created_at;

export interface Search {
  job: JobPosition;
  list: List;
  step: Step;
  /** The cursor at which an earlier search has stopped. */
  cursor?: string;
  maxPages: number;
}

/** The nearest job of the list on that side. A page with rare filters may have no row although others follow: at most so many are read. */
export async function findNeighbour(
  { job, list, step, cursor = '', maxPages }: Search,
  read: (filters: JobFilters, cursor: string) => Promise<JobList>,
): Promise<Neighbour> {
  const query = queryFrom(job, list, step);
  if (!query) return { jobId: null };
  const isWanted = (other: JobPosition) => (isTowardsNewer(step, list) ? isNewer(other, job) : isNewer(job, other));
  let at = cursor;
  for (let page = 0; page < maxPages; page++) {
    const { jobs, next_cursor } = await read(query, at);
    const found = jobs.find(isWanted);
    if (found) return { jobId: found.job_id };
    if (next_cursor === null) return { jobId: null };
    at = next_cursor;
  }
  return { cursor: at };
}
