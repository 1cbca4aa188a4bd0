import type { Locator, Page } from 'playwright-core';
import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { setVisibility } from '../support/visibility.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();
const admin = asAdmin(gateway);

/** Where a change may take longest: figures follow within ten seconds (spec 20.7). */
const figuresMs = 12_000;
/** How soon a page that is shown again is up to date. */
const shownMs = 5_000;

/** A team with an open job, a webhook and a charged job. */
interface Situation {
  team: GivenTeam;
  job: string;
  webhook: string;
}

async function givenSituation(): Promise<Situation> {
  const team = await given.team();
  const job = await given.job(team);
  const body = { team_id: team.teamId, webhook_url: 'https://example.com/hooks', events: ['job.failed'] };
  const webhook = expectOk(await as(gateway, team).post('/api/webhooks/register', body)).webhook_id as string;
  return { team, job, webhook };
}

const cancel = async ({ team, job }: Situation) =>
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, {}));
const complete = async ({ team }: Situation) => expectOk(await as(gateway, team).single());
const allocate = async ({ team }: Situation) =>
  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 7 }));
const switchOff = async ({ team, webhook }: Situation) =>
  expectOk(await as(gateway, team).patch(`/api/webhooks/${webhook}`, { is_active: 0 }));

const figure = (page: Page, label: string): Locator =>
  page
    .locator('main dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first();
const newer = (page: Page): Locator => page.getByRole('button', { name: /newer/ });

interface LivePage {
  path: (of: Situation) => string;
  who?: 'team';
  change: (of: Situation) => Promise<unknown>;
  /** What the page shows when it has followed the change. */
  shows: (page: Page, of: Situation) => Locator;
}

const row = (page: Page, id: string): Locator => page.locator(`tr[data-row="${id}"]`);

const livePages: Record<string, LivePage> = {
  'the overview': {
    path: () => '/',
    change: async (of) => void (await given.job(of.team)),
    shows: (page) => figure(page, 'Jobs'),
  },
  'the list of jobs': {
    path: () => '/jobs',
    change: cancel,
    shows: (page, { job }) => row(page, job).getByText('Cancelled'),
  },
  'the receipt of a job': {
    path: ({ job }) => `/jobs/${job}`,
    change: cancel,
    shows: (page) => page.locator('main').getByText('Cancelled', { exact: true }).first(),
  },
  'what happens now': {
    path: () => '/live',
    change: cancel,
    shows: (page) => figure(page, 'Open jobs'),
  },
  'the list of teams': {
    path: () => '/teams',
    change: allocate,
    shows: (page, { team }) => row(page, team.teamId).getByText('12').first(),
  },
  'the jobs of a team': {
    path: ({ team }) => `/teams/${team.teamId}`,
    change: complete,
    shows: newer,
  },
  'the credits of a team': {
    path: ({ team }) => `/teams/${team.teamId}?tab=credits`,
    change: allocate,
    shows: newer,
  },
  'the webhooks of a team': {
    path: ({ team }) => `/teams/${team.teamId}?tab=webhooks`,
    change: switchOff,
    shows: (page, { webhook }) => row(page, webhook).getByText('Inactive'),
  },
  'the activity of a team': {
    path: ({ team }) => `/teams/${team.teamId}?tab=activity`,
    change: allocate,
    shows: newer,
  },
  'the list of organizations': {
    path: () => '/organizations',
    change: async ({ team }) => void (await given.job(team)),
    shows: (page, { team }) => row(page, team.organizationId).getByRole('cell', { name: '2', exact: true }),
  },
  'an organization': {
    path: ({ team }) => `/organizations/${team.organizationId}`,
    change: async ({ team }) => void (await given.job(team)),
    shows: (page) => figure(page, 'Jobs created').getByText('2'),
  },
  'a renamed organization': {
    path: ({ team }) => `/organizations/${team.organizationId}`,
    change: async ({ team }) =>
      expectOk(await admin.put(`/api/organizations/${team.organizationId}`, { name: 'Renamed' })),
    shows: (page) => page.getByRole('heading', { level: 1, name: 'Renamed' }),
  },
  'the ledger': {
    path: ({ team }) => `/ledger?team=${team.teamId}`,
    change: allocate,
    shows: newer,
  },
  'the sums of the ledger': {
    path: ({ team }) => `/ledger?team=${team.teamId}`,
    change: allocate,
    shows: (page) => figure(page, 'Allocated').getByText('12', { exact: true }),
  },
  'the usage': {
    path: ({ team }) => `/usage?team=${team.teamId}`,
    change: async ({ team }) => void (await given.job(team)),
    shows: (page) => page.getByRole('table', { name: 'Groups' }).getByText('2', { exact: true }),
  },
  'the margins': {
    path: ({ team }) => `/margins?team=${team.teamId}`,
    change: async ({ team }) => void (await given.job(team)),
    shows: (page) => figure(page, 'Jobs').getByText('2'),
  },
  'the list of webhooks': {
    path: ({ team }) => `/webhooks?team=${team.teamId}`,
    change: switchOff,
    shows: (page, { webhook }) => row(page, webhook).getByText('Inactive'),
  },
  'a webhook': {
    path: ({ webhook }) => `/webhooks/${webhook}`,
    change: switchOff,
    shows: (page) => page.locator('main').getByText('Inactive').first(),
  },
  'the first page of a team': {
    path: () => '/team',
    who: 'team',
    change: async ({ team }) => void (await given.job(team)),
    shows: (page) => figure(page, 'Jobs').getByText('2'),
  },
  'the ledger of a team': { path: () => '/ledger', who: 'team', change: allocate, shows: newer },
};
const cases = Object.entries(livePages).map(([name, page]) => ({ name, ...page }));

const openFor = async ({ who, path }: LivePage, of: Situation) => {
  const { page } = who === 'team' ? await openAsTeam(of.team.key, path(of)) : await openAsOwner(path(of));
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  return page;
};

/** Makes the change, and waits for what it changes: a figure by its text, anything else by being there. */
async function expectToFollow(page: Page, live: LivePage, of: Situation, withinMs: number, show = async () => {}) {
  const shown = live.shows(page, of);
  const before = (await shown.count()) > 0 ? await shown.textContent() : null;
  await live.change(of);
  await show();
  await until(
    async () => ((await shown.count()) > 0 ? await shown.textContent() : null),
    (now) => now !== before,
    withinMs,
  );
}

testInBrowserFor(
  cases,
  'where it says Live, $name follows a change within seconds (spec 20.7)',
  async (live) => {
    const of = await givenSituation();
    const page = await openFor(live, of);
    await expectToFollow(page, live, of, figuresMs);
    await page.context().close();
  },
  60_000,
);

testInBrowserFor(
  cases,
  'when its tab is shown again, $name is up to date within five seconds (spec 20.7)',
  async (live) => {
    const of = await givenSituation();
    const page = await openFor(live, of);
    await setVisibility(page, 'hidden');
    await page.getByRole('status').getByText('Paused', { exact: true }).waitFor();
    await expectToFollow(page, live, of, shownMs, () => setVisibility(page, 'visible'));
    await page.context().close();
  },
  60_000,
);

testInBrowserFor(
  ['/audit', '/me', '/models', '/models?tab=health', '/users', '/system'].map((path) => ({ path })),
  'the page $path, which no event is about, does not say Live (spec 20.7)',
  async ({ path }) => {
    const { page } = await openAsOwner(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(await page.getByRole('status').getByText('Live', { exact: true }).count()).toBe(0);
    await page.context().close();
  },
);

testInBrowser(
  'a tab that shares the stream of another one is up to date when that one is closed (spec 20.7)',
  async () => {
    const of = await givenSituation();
    const holder = await openFor(livePages['the list of jobs']!, of);
    const tab = await holder.context().newPage();
    await tab.goto(`/console/jobs/${of.job}`);
    await tab.getByRole('status').getByText('Live', { exact: true }).waitFor();

    // The next tab opens its stream after the change.
    await holder.context().route(
      '**/api/events**',
      async (route) => {
        await cancel(of);
        await route.continue();
      },
      { times: 1 },
    );
    await holder.close();

    await tab.locator('main').getByText('Cancelled', { exact: true }).first().waitFor({ timeout: shownMs });
    await tab.context().close();
  },
);

testInBrowserFor(
  ['online', 'resume'].map((event) => ({ event })),
  'after the event $event of the browser a page is up to date within five seconds (spec 20.7)',
  async ({ event }) => {
    const of = await givenSituation();
    const page = await openFor(livePages['the receipt of a job']!, of);
    // The stream is gone without an event, as after the sleep of the computer.
    await page.context().route('**/api/events**', (route) => route.abort());
    await setVisibility(page, 'hidden');
    await cancel(of);
    await setVisibility(page, 'visible', false);
    await page.context().unroute('**/api/events**');

    await page.evaluate(`${event === 'online' ? 'window' : 'document'}.dispatchEvent(new Event('${event}'))`);

    await page.locator('main').getByText('Cancelled', { exact: true }).first().waitFor({ timeout: shownMs });
    await page.context().close();
  },
);

testInBrowser('a page that is opened again shows what changed while another one was shown (spec 20.7)', async () => {
  const of = await givenSituation();
  const { page } = await openAsOwner(`/jobs?team=${of.team.teamId}`);
  await row(page, of.job).getByText('Pending').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Users' }).click();
  await page.waitForURL('**/users*');
  await cancel(of);

  await page.goBack();

  await row(page, of.job).getByText('Cancelled').waitFor({ timeout: shownMs });
  await page.context().close();
});
