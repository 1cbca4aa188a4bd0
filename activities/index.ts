import type { Activities } from '../workflows/contract/activities.ts';
import { createCallActivities } from './call-upstream/call-upstream.ts';
import { createJobActivities } from './jobs/jobs.ts';
import { createSettlementActivities } from './jobs/settle-job.ts';
import { createExpiryActivities } from './maintenance/delete-expired.ts';
import { createReconciliationActivities } from './maintenance/reconcile-workflows.ts';
import { createRefillActivities } from './maintenance/refill-teams.ts';
import { createResendActivities } from './maintenance/resend-unsent.ts';
import { createTeamSyncActivities } from './maintenance/sync-teams.ts';
import type { ActivityDeps } from './ports.ts';
import { createWebhookActivities } from './webhooks/deliver-webhook.ts';

/** All that a worker does to the outside world. */
export const createActivities = (deps: ActivityDeps) =>
  ({
    ...createCallActivities(deps),
    ...createExpiryActivities(deps),
    ...createJobActivities(deps),
    ...createReconciliationActivities(deps),
    ...createRefillActivities(deps),
    ...createResendActivities(deps),
    ...createSettlementActivities(deps),
    ...createTeamSyncActivities(deps),
    ...createWebhookActivities(deps),
  }) satisfies Activities;
