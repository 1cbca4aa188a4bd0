import type { JobListSearch } from '../../components/jobs/job-search.ts';
import type { RangeSearch } from '../../url/time-range.ts';

/** The list of open jobs, in the longest range: one that has been open for longer has been ended. */
export const openJobs: JobListSearch & RangeSearch = {
  status: ['pending', 'in_progress'],
  range: '90d',
  from: undefined,
  to: undefined,
};
