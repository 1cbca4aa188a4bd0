import type { Activities } from '../workflows/contract/activities.ts';
import { createCallActivities } from './call-upstream/call-upstream.ts';
import { createJobActivities } from './jobs/job-activities.ts';
import { createSettlementActivities } from './jobs/settle-job.ts';
import { createMaintenanceActivities } from './maintenance/maintain.ts';
import type { ActivityDeps } from './ports.ts';
import { createWebhookActivities } from './webhooks/deliver-webhook.ts';

/** All that a worker does to the outside world. */
export const createActivities = (deps: ActivityDeps) =>
  ({
    ...createCallActivities(deps),
    ...createJobActivities(deps),
    ...createMaintenanceActivities(deps),
    ...createSettlementActivities(deps),
    ...createWebhookActivities(deps),
  }) satisfies Activities;
