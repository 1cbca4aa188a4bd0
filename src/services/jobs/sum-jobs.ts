import type { z } from 'zod';
import type { JobTotalsQuery } from '../../contracts/job-lists.ts';
import { type SummedJobs, sumJobs as sum } from '../../db/jobs/sum-jobs.ts';
import type { ServiceContext } from '../context.ts';
import { toJobFilter } from './to-job-filter.ts';

/** How many jobs of a list match, and what they took. `spec 19.76` */
export const sumJobs = (
  { deps, caller }: ServiceContext,
  filters: z.output<typeof JobTotalsQuery>,
): Promise<SummedJobs> => sum(deps.database, toJobFilter(caller, filters));
