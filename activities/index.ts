import { createCallActivities } from './calls.ts';
import { createCostActivities } from './costs.ts';
import { createCreditActivities } from './credits.ts';
import type { ActivityDeps } from './deps.ts';
import { createJobActivities } from './jobs.ts';
import { createRefillActivities } from './refills.ts';
import { createRegistrationActivities } from './registrations.ts';
import { createSweepActivities } from './sweeps.ts';
import { createTerminationActivities } from './terminations.ts';
import { createWebhookActivities } from './webhooks.ts';

/** All that a worker does to the outside world, by the names that the Temporal UI shows. */
export const createActivities = (deps: ActivityDeps) => ({
  ...createCallActivities(deps),
  ...createCostActivities(deps),
  ...createCreditActivities(deps),
  ...createJobActivities(deps),
  ...createRefillActivities(deps),
  ...createRegistrationActivities(deps),
  ...createSweepActivities(deps),
  ...createTerminationActivities(deps),
  ...createWebhookActivities(deps),
});

export type Activities = ReturnType<typeof createActivities>;
