import { recordCost } from '../src/db/queries/record-cost.ts';
import type { ActivityDeps } from './deps.ts';

export const createCostActivities = (deps: ActivityDeps) => ({
  /**
   * The tokens and USD of a job's calls into the job. A call that ended by itself did that with its end; this is for those
   * that had to be ended. Runs of version 2 and before also ask for it before `settleJob`, which now closes the sums itself.
   * Once for each call: `calls.recorded_at` is the guard.
   */
  async recordCost({ job_id }: { job_id: string }): Promise<void> {
    await recordCost(deps.database, job_id);
  },
});
