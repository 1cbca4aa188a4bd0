import { createCallActivities } from './call-upstream/call-upstream.ts';
import { createJobActivities } from './jobs/jobs.ts';
import { createSettlementActivities } from './jobs/settle-job.ts';
import { createTerminationActivities } from './maintenance/reconcile-terminated.ts';
import { createRefillActivities } from './maintenance/refill-teams.ts';
import { createSweepActivities } from './maintenance/resend-unsent.ts';
import { createRegistrationActivities } from './maintenance/sync-teams.ts';
import type { ActivityDeps } from './ports.ts';
import { createWebhookActivities } from './webhooks/deliver-webhook.ts';

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
