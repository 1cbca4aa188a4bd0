import type { JobListSearch } from '../../components/jobs/job-search.ts';
import { ofLastDays, type RangeSearch } from '../../url/time-range.ts';

/** The list of all open jobs: one that has been open for longer than these days has been ended. */
export const openJobs = (): JobListSearch & RangeSearch => ({
  status: ['pending', 'in_progress'],
  ...ofLastDays(90),
});
