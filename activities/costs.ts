import { recordCost } from '../src/db/queries/record-cost.ts';
import type { ActivityDeps } from './deps.ts';

export const createCostActivities = (deps: ActivityDeps) => ({
  /**
   * Adds the tokens and USD of a job's calls to the job. A call that ended by itself has added them with its end; this is for
   * calls that had to be ended. Runs of version 2 and before also ask for it before `settleJob`, which now closes the sums
   * itself. Each call counts once: `calls.recorded_at` is the guard.
   */
  async recordCost({ job_id }: { job_id: string }): Promise<void> {
    await recordCost(deps.database, job_id);
  },
});
