import { adminUserRoutes } from './api/admin-users/index.ts';
import { callRoutes } from './api/calls/index.ts';
import { changeRoutes } from './api/changes/index.ts';
import { creditRoutes } from './api/credits/index.ts';
import { figureRoutes } from './api/figures/index.ts';
import { invitationRoutes } from './api/invitations/index.ts';
import { jobRoutes } from './api/jobs/index.ts';
import { keyRoutes } from './api/keys/index.ts';
import { modelRoutes } from './api/models/index.ts';
import { operationRoutes } from './api/operation/index.ts';
import { organizationRoutes } from './api/organizations/index.ts';
import { playgroundRoutes } from './api/playground/index.ts';
import { priceRoutes } from './api/prices/index.ts';
import { probeRoutes } from './api/probes/index.ts';
import { searchRoutes } from './api/search/index.ts';
import { sessionRoutes } from './api/sessions/index.ts';
import { teamRoutes } from './api/teams/index.ts';
import { viewRoutes } from './api/views/index.ts';
import { webhookRoutes } from './api/webhooks/index.ts';
import { createEmbeddings } from './embeddings/create-embeddings.ts';
import { messagesRoutes } from './messages/index.ts';
import { openAiRoutes } from './openai/index.ts';
import { responsesRoutes } from './responses/index.ts';
import type { Route } from './route.ts';

/** The whole interface: what is not here does not exist. */
export const routes: readonly Route[] = [
  ...organizationRoutes,
  ...teamRoutes,
  ...keyRoutes,
  ...creditRoutes,
  ...priceRoutes,
  ...figureRoutes,
  ...operationRoutes,
  ...callRoutes,
  ...openAiRoutes,
  ...messagesRoutes,
  ...responsesRoutes,
  createEmbeddings,
  ...jobRoutes,
  ...searchRoutes,
  ...modelRoutes,
  ...playgroundRoutes,
  ...adminUserRoutes,
  ...invitationRoutes,
  ...sessionRoutes,
  ...viewRoutes,
  ...changeRoutes,
  ...webhookRoutes,
  ...probeRoutes,
];
