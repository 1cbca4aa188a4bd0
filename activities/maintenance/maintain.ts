import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { recordRound } from '../../src/db/maintenance/maintenance-steps.ts';
import { rollUpCalls } from '../../src/db/maintenance/roll-up-calls.ts';
import { watchAttention } from '../../src/services/operation/watch-attention.ts';
import type { MaintenanceStep, RoundOfMaintenance } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';
import { createExpirySteps } from './delete-expired.ts';
import { createReconciliationSteps } from './reconcile-workflows.ts';
import { createRefillSteps } from './refill-teams.ts';
import { createResendSteps } from './resend-unsent.ts';
import { createOutboxSteps } from './start-deliveries.ts';
import { createTeamSyncSteps } from './sync-teams.ts';

/** The steps in their order in a round. Each finds its own work and returns how much it has handled; mostly there is none. */
function createSteps(deps: ActivityDeps): Record<MaintenanceStep, () => Promise<number>> {
  const { reconcileJobs, closeOrphanedCalls, reconcileDeliveries } = createReconciliationSteps(deps);
  return {
    reconcileJobs,
    ...createResendSteps(deps),
    closeOrphanedCalls,
    ...createRefillSteps(deps),
    ...createTeamSyncSteps(deps),
    ...createOutboxSteps(deps),
    reconcileDeliveries,
    /** Adds the calls that were recorded since the last round to the sums by the hour. */
    rollUpCalls: () => rollUpCalls(deps.database, heartbeat),
    /** Publishes what needs attention since the last round, and what no longer does. */
    watchAttention: () => watchAttention(deps),
    ...createExpirySteps(deps),
  };
}

export const createMaintenanceActivities = (deps: ActivityDeps) => {
  const steps = Object.entries(createSteps(deps)) as [MaintenanceStep, () => Promise<number>][];
  return {
    /** One round. A step that fails does not hold up the others and runs again in the next round. A worker that ends stops between two steps. */
    async maintain(): Promise<RoundOfMaintenance> {
      const round: RoundOfMaintenance = {};
      for (const [name, step] of steps) {
        if (cancellationSignal().aborted) break;
        heartbeat();
        round[name] = await step().catch((error: unknown) => {
          deps.log.warn({ err: error, step: name }, 'maintenance: step failed');
          return 'failed' as const;
        });
      }
      // The console shows the round; it has had its effects even if this fails.
      await recordRound(deps.database, round).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'maintenance: round not recorded'),
      );
      return round;
    },
  };
};
