import { recordCost } from '../src/db/queries/record-cost.ts';
import type { ActivityDeps } from './deps.ts';

export const createCostActivities = (deps: ActivityDeps) => ({
  /**
   * The tokens and USD of a job's calls into the job. A call that ended by itself did that with its end; this is for those
   * that had to be ended, and closes the sums before they are settled. Once each: `calls.recorded_at` is the guard.
   */
  async recordCost({ job_id }: { job_id: string }): Promise<void> {
    await recordCost(deps.database, job_id);
  },
});
