import type { Locator, Page } from 'playwright-core';
import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests({ worker: true });

let team: GivenTeam;
let webhookId: string;
beforeAll(async () => {
  team = await given.team();
  await given.team();
  const job = await given.job(team);
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'failed', error_message: 'no luck' }));
  const webhook = (path: string) => ({
    team_id: team.teamId,
    webhook_url: `https://example.com/${path}`,
    events: ['job.failed'],
  });
  webhookId = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook('one'))).webhook_id;
  await as(gateway, team).post('/api/webhooks/register', webhook('two'));
  await given.admin('post', `/api/webhooks/${webhookId}/test`);
});

const openIn = (page: Page) => new URL(page.url()).searchParams.get('open');

testInBrowserFor(
  [
    { path: '/teams', noun: 'Team' },
    { path: '/organizations', noun: 'Organization' },
    { path: '/ledger', noun: 'Ledger row' },
    { path: '/webhooks', noun: 'Webhook' },
    { path: '/users', noun: 'Account' },
    { path: '/audit', noun: 'Entry' },
    { path: '/', noun: 'Failed job' },
  ],
  'on $path, Space shows the row of j beside the list and in the URL, k takes it along, and Esc closes it',
  async ({ path, noun }) => {
    const { page, problems } = await openAsOwner(path);
    const rows = page.locator('tr[data-row]');
    await rows.first().waitFor();
    const panel = page.getByRole('complementary', { name: noun });
    const focusedRow = () => page.evaluate('document.activeElement.dataset.row');

    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await panel.waitFor();
    const [peeked, focused] = [openIn(page), await focusedRow()];
    await page.keyboard.press('j');
    const next = await focusedRow();
    await page.waitForFunction(`location.search.includes('open=${next}')`);
    await page.reload();
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    expect(peeked).toBe(focused);
    expect(openIn(page)).toBeNull();
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowser('Enter on a row of teams opens the team, and c copies its id', async () => {
  const { page } = await openAsOwner('/teams');
  await page.locator('tr[data-row]').first().waitFor();

  await page.keyboard.press('j');
  const id = await page.evaluate('document.activeElement.dataset.row');
  await page.keyboard.press('c');
  await page.getByText(`Copied ${id}`).waitFor();
  await page.keyboard.press('Enter');

  await page.waitForURL(`**/teams/${id}*`);
  await page.context().close();
});

testInBrowser('Space on a delivery shows its attempts, and Esc closes them', async () => {
  const { page } = await openAsOwner(`/webhooks/${webhookId}`);
  await page.locator('tr[data-row]').first().waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.getByRole('region', { name: 'Delivery', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Delivery', exact: true }).waitFor({ state: 'detached' });

  expect(new URL(page.url()).searchParams.get('delivery')).toBeNull();
  await page.context().close();
});

testInBrowser(
  'the list of shortcuts has those of a list on a list, and not on a page without one (spec 20.12)',
  async () => {
    const { page } = await openAsOwner('/users');
    await page.locator('tr[data-row]').first().waitFor();
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });

    await page.keyboard.press('?');
    const ofList = await list.textContent();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.goto('/console/me');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    const ofPage = await list.textContent();

    expect(ofList).toContain('Peek');
    expect(ofList).not.toContain('Select');
    expect(ofPage).toContain('Search');
    expect(ofPage).not.toContain('Next row');
    await page.context().close();
  },
);

testInBrowser(
  'on the list of jobs, j with an open panel shows each row at once, adds no history and requests the reasons of few (spec 20.12)',
  async () => {
    const many = await given.team();
    const jobs: string[] = [];
    for (let n = 0; n < 8; n++) jobs.unshift(await given.job(many, { external_task_id: `task ${n}` }));
    const { page, problems } = await openAsOwner(`/jobs?team=${many.teamId}`);
    await page.locator(`tr[data-row="${jobs[0]}"]`).waitFor();
    const reasons: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/timeline')) reasons.push(request.url());
    });
    const panel = page.getByRole('complementary', { name: 'Job' });
    const before = await page.evaluate('history.length');

    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await panel.getByText('task 7').waitFor();
    for (let n = 1; n < jobs.length; n++) await page.keyboard.press('j');
    await panel.getByText('task 0').waitFor();
    await panel.getByText('The job is open').waitFor();

    expect(openIn(page)).toBe(jobs.at(-1));
    expect(await page.evaluate('history.length')).toBe(before);
    expect(reasons.length).toBeLessThan(jobs.length / 2);
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowser('the panel beside a ledger row, a failure and a job links to their team and organization', async () => {
  const job = await given.job(team);
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'failed', error_message: 'no luck' }));
  const charged = expectOk(await as(gateway, team).single()).job_id as string;
  const { page, problems } = await openAsOwner(`/ledger?team=${team.teamId}`);
  const targets = async (row: Locator) => {
    await row.click();
    const links = page.getByRole('complementary').locator('dl').getByRole('link');
    await links.first().waitFor();
    return links.evaluateAll((anchors) => anchors.map((anchor) => new URL(String(anchor)).pathname));
  };
  const teamPage = `/console/teams/${team.teamId}`;
  const organizationPage = `/console/organizations/${team.organizationId}`;

  const ofLedgerRow = await targets(
    page.locator('tr[data-row]').filter({ hasText: 'deduction' }).getByText('deduction'),
  );
  await page.goto('/console/');
  const ofFailure = await targets(page.locator(`tr[data-row="${job}"] td`).last());
  await page.goto(`/console/jobs?team=${team.teamId}`);
  const ofJob = await targets(page.locator(`tr[data-row="${charged}"] td`).last());
  const inList = page.locator(`tr[data-row="${charged}"]`).getByRole('link', { name: team.teamId });

  expect(ofLedgerRow).toEqual([teamPage, organizationPage]);
  expect(ofFailure).toEqual([teamPage]);
  expect(ofJob).toEqual([teamPage, organizationPage]);
  expect(await inList.count()).toBe(1);
  expect(problems).toEqual([]);
  await page.context().close();
});
