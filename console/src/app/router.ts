import { createRouter } from '@tanstack/react-router';
import { consolePath } from '../api/base.ts';
import { auditRoute } from '../pages/audit/route.ts';
import { homeRoute } from '../pages/home/route.ts';
import { jobRoute } from '../pages/job/route.ts';
import { jobsRoute } from '../pages/jobs/route.ts';
import { ledgerRoute } from '../pages/ledger/route.ts';
import { liveRoute } from '../pages/live/route.ts';
import { loginRoute } from '../pages/login/route.ts';
import { marginsRoute } from '../pages/margins/route.ts';
import { meRoute } from '../pages/me/route.ts';
import { modelsRoute } from '../pages/models/route.ts';
import { notFoundRoute } from '../pages/not-found/route.ts';
import { organizationRoute } from '../pages/organization/route.ts';
import { organizationsRoute } from '../pages/organizations/route.ts';
import { setupRoute } from '../pages/setup/route.ts';
import { systemRoute } from '../pages/system/route.ts';
import { teamRoute } from '../pages/team/route.ts';
import { teamHomeRoute } from '../pages/team-home/route.ts';
import { teamsRoute } from '../pages/teams/route.ts';
import { usageRoute } from '../pages/usage/route.ts';
import { usersRoute } from '../pages/users/route.ts';
import { webhookRoute } from '../pages/webhook/route.ts';
import { webhooksRoute } from '../pages/webhooks/route.ts';
import { layoutRoute } from './layout-route.ts';
import { rootRoute } from './root-route.tsx';
import { parseSearch, stringifySearch } from './search-text.ts';

/** Every page of the console: a line each. */
const routeTree = rootRoute.addChildren([
  loginRoute,
  setupRoute,
  layoutRoute.addChildren([
    auditRoute,
    homeRoute,
    jobRoute,
    jobsRoute,
    ledgerRoute,
    liveRoute,
    marginsRoute,
    meRoute,
    modelsRoute,
    notFoundRoute,
    organizationRoute,
    organizationsRoute,
    systemRoute,
    teamRoute,
    teamHomeRoute,
    teamsRoute,
    usageRoute,
    usersRoute,
    webhookRoute,
    webhooksRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: consolePath,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** What the page is called in the breadcrumb and the title of the window. */
    crumb?: string;
    /** Of a page about one thing: what the list that it is in was filtered by, from its own part of the URL. */
    listOf?: (search: object) => object;
    /** Whether the time range of the top bar applies to it. */
    hasRange?: boolean;
  }
}
