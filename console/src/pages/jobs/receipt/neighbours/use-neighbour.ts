import { skipToken, useQuery } from '@tanstack/react-query';
import { getJobs } from '../../../../api/jobs.ts';
import { type JobListSearch, toListKey } from '../../../../components/jobs/job-search.ts';
import { addToast } from '../../../../components/ui/toast-queue.ts';
import type { RangeSearch } from '../../../../url/time-range.ts';
import { findNeighbour, type JobPosition, type Search, type Step } from './find-neighbour.ts';

const rows = 10;
/** How many pages are read with the receipt. */
const fewPages = 2;
/** How many more are read when a person goes on. */
const manyPages = 40;

const search = (options: Search, signal?: AbortSignal) =>
  findNeighbour(options, (filters, cursor) => getJobs(filters, cursor, signal, rows));

/** Goes to the neighbour of the job in the list. `isEnd`: there is none. The job is undefined until it is read. */
export function useNeighbour(
  job: JobPosition | undefined,
  list: JobListSearch & RangeSearch,
  step: Step,
  onFound: (jobId: string) => void,
) {
  const { data } = useQuery({
    queryKey: ['jobs', 'neighbour', step, job?.job_id, ...toListKey(list)],
    queryFn: job ? ({ signal }) => search({ job, list, step, maxPages: fewPages }, signal) : skipToken,
  });
  const go = async () => {
    if (!job || !data) return;
    if (data.jobId) return onFound(data.jobId);
    if (data.cursor === undefined) return;
    addToast('Looking further …');
    const found = await search({ job, list, step, cursor: data.cursor, maxPages: manyPages }).catch(() => undefined);
    if (found?.jobId) onFound(found.jobId);
    else addToast(found?.jobId === null ? 'There is none' : 'No match among the jobs that were looked at');
  };
  return { isEnd: data?.jobId === null, isReady: data !== undefined, go: () => void go() };
}
