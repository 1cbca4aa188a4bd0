import { recordCost } from '../src/db/queries/record-cost.ts';
import type { ActivityDeps } from './deps.ts';

export const createCostActivities = (deps: ActivityDeps) => ({
  /** The call's tokens and USD into its job, once: `calls.recorded_at` is the guard. */
  async recordCost({ call_id }: { call_id: string }): Promise<void> {
    await recordCost(deps.database, call_id);
  },
});
