import type { Browser } from 'playwright-core';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { runProgram } from '../../support/run-program.ts';
import { launchChromium, testInBrowser } from '../support/chromium.ts';
import { openPage, signInAsAdmin, signInAsTeam } from '../support/console-page.ts';

beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);
const gateway = gatewayForTests();
const given = givenIn(gateway);
const owner = { email: `${unique('owner')}@example.com`, password: 'a pass phrase for tests' };

let browser: Browser;
beforeAll(() => given.admin('post', '/api/admin-users/setup', { ...owner, display_name: 'Owner' }));
afterAll(() => browser?.close());

const shortId = (id: string) => id.slice(0, 8);

testInBrowser(
  'a job that ends while its list is shown changes its state in place, and a newer one waits behind a button (spec 20.7)',
  async () => {
    browser ??= await launchChromium();
    const team = await given.team();
    const older = await given.job(team);
    const { page } = await openPage(browser, gateway.current.url);
    await signInAsAdmin(page, owner);
    await page.goto('/console/jobs');
    const row = page.locator(`tr[data-row="${older}"]`);
    await row.getByText('Pending').waitFor();
    await page.getByRole('status').getByText('Live').waitFor();

    expectOk(await as(gateway, team).post(`/api/jobs/${older}/cancel`, {}));
    const newer = await given.job(team);

    await row.getByText('Cancelled').waitFor();
    await page.getByRole('button', { name: 'newer job' }).waitFor();
    expect(await page.getByRole('link', { name: shortId(newer) }).count()).toBe(0);
    await page.getByRole('button', { name: 'newer job' }).click();
    await page.getByRole('link', { name: shortId(newer) }).waitFor();
    await page.context().close();
  },
);

testInBrowser(
  'twelve tabs of one browser hold one stream of events, and each shows what has changed (spec 20.7)',
  async () => {
    browser ??= await launchChromium();
    const team = await given.team();
    const job = await given.job(team);
    const { page } = await openPage(browser, gateway.current.url);
    let streams = 0;
    page.context().on('request', (request) => {
      if (request.url().includes('/api/events')) streams += 1;
    });
    await signInAsAdmin(page, owner);
    const tabs = [page, ...(await Promise.all(Array.from({ length: 11 }, () => page.context().newPage())))];
    for (const tab of tabs) await tab.goto(`/console/jobs/${job}`);
    for (const tab of tabs) await tab.getByRole('status').getByText('Live').waitFor();
    const before = streams;

    expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, {}));

    for (const tab of tabs) await tab.getByText('Cancelled', { exact: true }).first().waitFor();
    expect(streams).toBe(before);
    await page.context().close();
  },
  120_000,
);

testInBrowser(
  'without the event stream the page shows that it polls, and shows a job that has changed (spec 20.7)',
  async () => {
    browser ??= await launchChromium();
    const team = await given.team();
    const job = await given.job(team);
    const { page } = await openPage(browser, gateway.current.url);
    await page.context().route('**/api/events**', (route) => route.abort());
    await signInAsAdmin(page, owner);
    await page.goto(`/console/jobs/${job}`);
    await page.getByRole('status').getByText('Every 5 s').waitFor();

    expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, {}));

    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.context().close();
  },
);

testInBrowser(
  'when the session ends while a form is open, a dialog to sign in appears over it and the form stays (spec 20.8)',
  async () => {
    browser ??= await launchChromium();
    const team = await given.team();
    const job = await given.job(team);
    const { page } = await openPage(browser, gateway.current.url);
    await signInAsTeam(page, team.key);
    await page.goto(`/console/jobs/${job}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Reason').fill('a reason that must not be lost');
    await page.context().clearCookies();

    await page.getByRole('button', { name: 'Cancel the job' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Virtual key').fill(team.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });

    expect(await page.getByLabel('Reason').inputValue()).toBe('a reason that must not be lost');
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('The job is cancelled').waitFor();
    await page.context().close();
  },
);

testInBrowser('any id that is pasted into the palette opens its receipt with Enter', async () => {
  browser ??= await launchChromium();
  const team = await given.team();
  const job = expectOk(await as(gateway, team).single()).job_id as string;
  const { page } = await openPage(browser, gateway.current.url);
  await signInAsAdmin(page, owner);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(job);
  await page.getByRole('option').getByText(shortId(job)).waitFor();
  await page.keyboard.press('Enter');

  await page.waitForURL(`**/console/jobs/${job}*`);
  await page.getByRole('heading', { level: 1 }).getByText('credit').waitFor();
  await page.context().close();
});
