import type { Browser } from 'playwright-core';
import { freePort } from '../../../tools/dev/services/free-port.ts';
import { type ApiProcess, startApiProcess } from '../../support/api-process.ts';
import { as, expectOk } from '../../support/given.ts';
import { launchChromium, testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { openPage, signInAsAdmin } from '../support/console-page.ts';

const { gateway, given, owner } = consoleForTests();

let browser: Browser;
let api: ApiProcess | undefined;
afterAll(async () => {
  await browser?.close();
  await api?.end();
});

/** What the contract promises: from the moment on at which the api listens again. */
const liveWithinMs = 5_000;

testInBrowser(
  'an api that is killed and started again under an open page: the page shows that it polls, and is live again within five seconds',
  async () => {
    browser = await launchChromium();
    const settings = { PORT: String(await freePort()) };
    api = await startApiProcess(gateway.current, settings);
    const team = await given.team();
    const job = await given.job(team);
    const { page } = await openPage(browser, api.url);
    await signInAsAdmin(page, owner);
    await page.goto(`/console/jobs/${job}`);
    const indicator = page.getByRole('status');
    await indicator.getByText('Live').waitFor();

    await api.kill();
    await indicator.getByText('Every 5 s').waitFor();
    expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, {}));
    api = await startApiProcess(gateway.current, settings);
    await indicator.getByText('Live').waitFor({ timeout: liveWithinMs });

    await page.getByText('Cancelled', { exact: true }).first().waitFor();
  },
  120_000,
);
