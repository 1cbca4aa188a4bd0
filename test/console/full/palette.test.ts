import type { Page } from 'playwright-core';
import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

let team: GivenTeam;
let job: string;
let requestId: string;
beforeAll(async () => {
  team = await given.team();
  const answer = await as(gateway, team).single();
  job = expectOk(answer).job_id;
  requestId = answer.headers.get('x-request-id')!;
});

const openPalette = async (page: Page) => {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.keyboard.press('Control+k');
  return page.getByRole('combobox', { name: 'Search' });
};

testInBrowserFor(
  [
    { what: 'an id', text: () => job },
    { what: 'a quoted id', text: () => `"${job}",` },
    { what: 'an id without dashes', text: () => job.replaceAll('-', '') },
    { what: 'the id of a workflow', text: () => `job-${job}` },
    { what: 'the id of a request', text: () => requestId },
    { what: 'a line of a log over two lines', text: () => `{"level":"info",\n"job_id":"${job}"}` },
  ],
  '$what that is pasted and followed by Enter at once opens its receipt, however long the search takes',
  async ({ text }) => {
    const { page, problems } = await openAsOwner('/me');
    await page.context().route('**/api/search**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    const input = await openPalette(page);
    await input.waitFor();
    await page.evaluate(`document.execCommand('insertText', false, ${JSON.stringify(text())})`);
    await page.keyboard.press('Enter');

    await page.waitForURL(`**/console/jobs/${job}*`);
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowser('Enter for an id that nothing has opens no page', async () => {
  const { page } = await openAsOwner('/me');
  const input = await openPalette(page);
  await input.fill('0f0f0f0f-0000-4000-8000-000000000000');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing has this id, name or e-mail').waitFor();
  await page.keyboard.press('Enter');

  expect(new URL(page.url()).pathname).toBe('/console/me');
  await page.context().close();
});

testInBrowser('a key that is pasted is not sent to the search', async () => {
  const { page } = await openAsOwner('/me');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const input = await openPalette(page);
  await input.fill(team.key);
  await page.getByText('A key is not searched').waitFor();

  expect(requests.filter((url) => url.includes('/api/search'))).toEqual([]);
  await page.context().close();
});

testInBrowserFor(
  [
    { path: () => `/teams/${team.teamId}`, action: 'Rotate key', shows: 'Rotate the key of' },
    { path: () => '/teams', action: 'New team', shows: 'New team' },
    { path: () => `/jobs/${job}`, action: 'Refund', shows: 'Refund this job?' },
    { path: () => '/jobs', action: 'Export as CSV', shows: 'Export jobs as CSV' },
  ],
  'the action "$action" of a page is found in the palette and opens its dialog',
  async ({ path, action, shows }) => {
    const { page } = await openAsOwner(path());
    await page.locator('main').getByRole('button', { name: action }).first().waitFor();
    const input = await openPalette(page);
    await input.fill(action);
    await page.getByRole('option', { name: action }).first().waitFor();
    await page.keyboard.press('Enter');

    await page.getByRole('dialog', { name: shows }).waitFor();
    await page.context().close();
  },
);

testInBrowser('the theme is an action of the palette on each page', async () => {
  const { page } = await openAsOwner('/me');
  const input = await openPalette(page);
  await input.fill('theme: dark');
  await page.getByRole('option', { name: 'Theme: dark' }).waitFor();
  await page.keyboard.press('Enter');

  await until(() => page.evaluate(`document.documentElement.dataset.theme === 'dark'`));
  await page.context().close();
});
