import type { BrowserContext } from 'playwright-core';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { consolePages, givenShown, type Shown, visit } from './pages.ts';

const { gateway, openAsOwner, openAsTeam } = consoleForTests();

/** Of the layout: who is signed in, and what has changed. */
const ofLayout = new Set(['/api/session', '/api/events']);

/** All other pages make one request. */
const apart = ({ jobId, teamId, organizationId, webhookId }: Shown): Record<string, number> => ({
  // Names of the accounts, for its filter.
  '/audit': 2,
  // And who is invited.
  '/users': 2,
  // The histogram and the sums may take longer than a page of the list.
  '/jobs': 3,
  // And why the job beside the list was charged, and the name of its key.
  [`/jobs?type=report&open=${jobId}`]: 5,
  // The jobs before and after it in the list, and the name of its key.
  [`/jobs/${jobId}?type=report&range=24h`]: 4,
  // The groups, and a page of the calls.
  '/errors': 2,
  '/models?tab=health': 2,
  // Which of the steps are done.
  '/first-call': 4,
  // The test account, and the names that can be called.
  '/playground': 3,
  'team /playground': 0,
  [`/jobs/${jobId}`]: 3,
  // The check reads the whole ledger; a team has none.
  '/ledger': 2,
  'team /ledger': 1,
  // The month, which can be chosen, and the teams.
  [`/organizations/${organizationId}`]: 3,
  // The estimate of how long its credits last, and the rows of the tab.
  [`/teams/${teamId}`]: 3,
  [`/teams/${teamId}?tab=credits`]: 3,
  [`/teams/${teamId}?tab=webhooks`]: 3,
  [`/teams/${teamId}?tab=models`]: 2,
  [`/teams/${teamId}?tab=keys`]: 3,
  // What the installation permits.
  [`/teams/${teamId}?tab=settings`]: 3,
  [`/teams/${teamId}?tab=activity`]: 4,
  // Its deliveries.
  [`/webhooks/${webhookId}`]: 2,
  // A form until it is sent, and the session.
  '/models?tab=resolve': 0,
  'team /me': 0,
  // Its settings, its month and its models.
  '/team': 4,
  // The jobs before and after it.
  [`team /jobs/${jobId}`]: 3,
});

/** The requests that a page makes for its content until it waits for nothing more, in a tab of its own. */
async function requestsOf(context: BrowserContext, path: string): Promise<string[]> {
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !ofLayout.has(pathname)) requests.push(pathname);
  });
  await visit(page, path);
  await page.close();
  return requests;
}

testInBrowser(
  'the first view of a page makes one request for its content, and more only where its parts are read apart',
  async () => {
    const { team, shown } = await givenShown(gateway);
    const pages = consolePages(shown);
    const permitted = apart(shown);
    const admin = await openAsOwner('/me');
    const signedInTeam = await openAsTeam(team.key, '/me');

    const found: Record<string, string[]> = {};
    for (const path of pages.admin) found[path] = await requestsOf(admin.page.context(), path);
    for (const path of pages.team) found[`team ${path}`] = await requestsOf(signedInTeam.page.context(), path);

    for (const [page, requests] of Object.entries(found)) {
      const number = permitted[page] ?? permitted[page.replace('team ', '')] ?? 1;
      expect({ page, requests, number: requests.length }).toEqual({ page, requests, number });
    }
  },
  180_000,
);
