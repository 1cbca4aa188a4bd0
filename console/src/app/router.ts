import { createRouter } from '@tanstack/react-router';
import { pagesPath } from '../api/base.ts';
import { layoutRoute } from '../layout/layout-route.ts';
import { rootRoute } from '../layout/root-route.tsx';
import { auditRoute } from '../pages/audit/route.ts';
import { errorsRoute } from '../pages/errors/route.ts';
import { firstRunRoute } from '../pages/first-run/route.ts';
import { invitationRoute } from '../pages/invitation/route.ts';
import { jobsRoute } from '../pages/jobs/list/route.ts';
import { jobRoute } from '../pages/jobs/receipt/route.ts';
import { ledgerRoute } from '../pages/ledger/route.ts';
import { liveRoute } from '../pages/live/route.ts';
import { loginRoute } from '../pages/login/route.ts';
import { marginsRoute } from '../pages/margins/route.ts';
import { meRoute } from '../pages/me/route.ts';
import { modelsRoute } from '../pages/models/route.ts';
import { notFoundRoute } from '../pages/not-found/route.ts';
import { organizationRoute } from '../pages/organizations/detail/route.ts';
import { organizationsRoute } from '../pages/organizations/list/route.ts';
import { overviewRoute } from '../pages/overview/route.ts';
import { playgroundRoute } from '../pages/playground/route.ts';
import { pricesRoute } from '../pages/prices/route.ts';
import { setupRoute } from '../pages/setup/route.ts';
import { statementRoute } from '../pages/statement/route.ts';
import { systemRoute } from '../pages/system/route.ts';
import { teamHomeRoute } from '../pages/team-home/route.ts';
import { teamRoute } from '../pages/teams/detail/route.ts';
import { teamsRoute } from '../pages/teams/list/route.ts';
import { usageRoute } from '../pages/usage/route.ts';
import { usersRoute } from '../pages/users/route.ts';
import { webhookRoute } from '../pages/webhooks/detail/route.ts';
import { webhooksRoute } from '../pages/webhooks/list/route.ts';
import { parseSearch, stringifySearch } from '../url/search-text.ts';

/** Every page of the console: a line each. */
const routeTree = rootRoute.addChildren([
  loginRoute,
  setupRoute,
  invitationRoute,
  layoutRoute.addChildren([
    auditRoute,
    firstRunRoute,
    errorsRoute,
    overviewRoute,
    playgroundRoute,
    pricesRoute,
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
    statementRoute,
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
  basepath: pagesPath,
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
    /** Whether all that the page shows follows what changes within seconds; a number: read again after so many seconds. */
    follows?: true | number;
    /** A page about one thing reads from its URL how the list that it was opened from was filtered. */
    listOf?: (search: object) => object;
    /** Whether the time range of the top bar applies to it; `days`: in whole days of UTC, whatever the moments of a fixed range. */
    hasRange?: boolean | 'days' | ((search: object) => boolean);
  }
}
