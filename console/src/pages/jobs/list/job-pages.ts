import type { InfiniteData } from '@tanstack/react-query';
import { isOpen } from '../../../api/jobs.ts';
import type { Job, JobList, JobStatus } from '../../../api/types.ts';
import type { JobListSearch } from '../../../components/jobs/job-search.ts';

export type Pages = InfiniteData<JobList, unknown>;

const onJobs = (data: Pages, change: (job: Job) => Job): Pages => ({
  ...data,
  pages: data.pages.map((page) => {
    const jobs = page.jobs.map(change);
    return jobs.some((job, index) => job !== page.jobs[index]) ? { ...page, jobs } : page;
  }),
});

/** The pages with the states of an event. Rows and pages without a change stay the same objects, and are not rendered again. */
export function patchStatuses(data: Pages, changed: readonly { job_id: string; status: JobStatus }[]): Pages {
  const statuses = new Map(changed.map(({ job_id, status }) => [job_id, status]));
  return onJobs(data, (job) => {
    const status = statuses.get(job.job_id);
    return status === undefined || status === job.status ? job : { ...job, status };
  });
}

/** The rows of one page as they are now, each in its place; those that the page had not are left out. */
export function mergePage(data: Pages, index: number, fresh: readonly Job[]): Pages {
  const known = new Set(data.pages[index]?.jobs.map(({ job_id }) => job_id));
  const now = new Map(fresh.filter(({ job_id }) => known.has(job_id)).map((job) => [job.job_id, job]));
  return onJobs(data, (job) => {
    const next = now.get(job.job_id);
    return next === undefined || same(job, next) ? job : next;
  });
}

const same = (a: Job, b: Job): boolean => JSON.stringify(a) === JSON.stringify(b);

/** How many of the jobs are newer than all that are shown. */
export function newerThan(shown: Pages, fresh: readonly Job[]): number {
  const jobs = shown.pages.flatMap((page) => page.jobs);
  const known = new Set(jobs.map(({ job_id }) => job_id));
  const newest =
    jobs
      .map(({ created_at }) => created_at)
      .toSorted()
      .at(-1) ?? '';
  return fresh.filter(({ job_id, created_at }) => !known.has(job_id) && created_at >= newest).length;
}

/** The page in which newer jobs appear: the last one of a list that begins with the oldest job, once all of it is loaded. */
export function findNewestPage({ pages }: Pages, order: JobListSearch['order']): number | undefined {
  if (order !== 'oldest') return 0;
  return pages.at(-1)?.next_cursor === null ? pages.length - 1 : undefined;
}

/** The page of newer jobs, and each with an unfinished row on the screen. */
export function pagesToRead(
  { pages }: Pages,
  [first, last]: readonly [number, number],
  newest: number | undefined,
): number[] {
  let end = 0;
  return pages.flatMap(({ jobs }, index) => {
    const start = end;
    end += jobs.length;
    const shown = jobs.slice(Math.max(0, first - start), Math.max(0, last + 1 - start));
    return index === newest || shown.some(isOpen) ? [index] : [];
  });
}

/** How many pages at the end have no job. */
export const trailingEmpty = (data: Pages | undefined): number => {
  const pages = data?.pages ?? [];
  return pages.length - 1 - pages.findLastIndex(({ jobs }) => jobs.length > 0);
};
