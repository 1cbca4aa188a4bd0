import { createCallActivities } from './calls.ts';
import type { ActivityDeps } from './deps.ts';
import { createJobActivities } from './jobs.ts';
import { createRefillActivities } from './refills.ts';
import { createRegistrationActivities } from './registrations.ts';
import { createSettlementActivities } from './settlements.ts';
import { createSweepActivities } from './sweeps.ts';
import { createTerminationActivities } from './terminations.ts';
import { createWebhookActivities } from './webhooks.ts';

/** All that a worker does to the outside world, by the names that the Temporal UI shows. */
export const createActivities = (deps: ActivityDeps) => ({
  ...createCallActivities(deps),
  ...createJobActivities(deps),
  ...createRefillActivities(deps),
  ...createRegistrationActivities(deps),
  ...createSettlementActivities(deps),
  ...createSweepActivities(deps),
  ...createTerminationActivities(deps),
  ...createWebhookActivities(deps),
});

export type Activities = ReturnType<typeof createActivities>;
