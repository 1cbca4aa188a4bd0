import type { InfiniteData } from '@tanstack/react-query';
import type { Job, JobList, JobStatus } from '../../api/types.ts';

export type Pages = InfiniteData<JobList, unknown>;

const onJobs = (data: Pages, change: (job: Job) => Job): Pages => ({
  ...data,
  pages: data.pages.map((page) => {
    const jobs = page.jobs.map(change);
    return jobs.some((job, index) => job !== page.jobs[index]) ? { ...page, jobs } : page;
  }),
});

/** The states of an event. Rows and pages that do not change stay the same objects, and are not drawn again. */
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

/** How many jobs of the first page as it is now are newer than those that are shown. */
export function newerThan(shown: readonly Job[], fresh: readonly Job[]): number {
  const known = new Set(shown.map(({ job_id }) => job_id));
  const newest = shown[0]?.created_at ?? '';
  return fresh.filter(({ job_id, created_at }) => !known.has(job_id) && created_at >= newest).length;
}
