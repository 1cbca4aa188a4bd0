import type { Route } from '../route.ts';
import { adminUserRoutes } from './admin-users/index.ts';
import { callRoutes } from './calls/index.ts';
import { creditRoutes } from './credits/index.ts';
import { eventRoutes } from './events/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { modelAccessGroupRoutes } from './model-access-groups/index.ts';
import { modelAliasRoutes } from './model-aliases/index.ts';
import { modelGroupRoutes } from './model-groups/index.ts';
import { openAiRoutes } from './openai/index.ts';
import { operationRoutes } from './operation/index.ts';
import { organizationRoutes } from './organizations/index.ts';
import { probeRoutes } from './probes/index.ts';
import { searchRoutes } from './search/index.ts';
import { sessionRoutes } from './session/index.ts';
import { teamRoutes } from './teams/index.ts';
import { usageRoutes } from './usage/index.ts';
import { webhookRoutes } from './webhooks/index.ts';

/** The whole interface: what is not here does not exist. */
export const routes: readonly Route[] = [
  ...organizationRoutes,
  ...teamRoutes,
  ...creditRoutes,
  ...usageRoutes,
  ...operationRoutes,
  ...callRoutes,
  ...openAiRoutes,
  ...jobRoutes,
  ...searchRoutes,
  ...modelGroupRoutes,
  ...modelAliasRoutes,
  ...modelAccessGroupRoutes,
  ...adminUserRoutes,
  ...sessionRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...probeRoutes,
];
