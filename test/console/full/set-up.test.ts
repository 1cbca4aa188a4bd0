import type { Browser } from 'playwright-core';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { unique } from '../../support/given.ts';
import { runProgram } from '../../support/run-program.ts';
import { sendRequest } from '../../support/send-request.ts';
import { launchChromium, testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { openPage } from '../support/console-page.ts';

// Before the gateways, which read the build when they start.
beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** The first page of a visitor of a service that nobody owns yet. */
async function visit(SETUP: string, width?: number) {
  browser ??= await launchChromium();
  const gateway: Gateway = await startGateway({ worker: false, settings: { SETUP } });
  const { page, problems } = await openPage(browser, gateway.url, { width });
  await page.goto('/console');
  await page.getByRole('heading', { level: 1, name: 'Set up the gateway' }).waitFor();
  const close = async () => {
    await page.context().close();
    await gateway.close();
  };
  return { gateway, page, problems, close };
}

testInBrowserFor(
  [
    { SETUP: 'master-key', says: 'only who has the platform key can create it' },
    { SETUP: 'off', says: 'its operator sets SETUP=master-key' },
  ],
  'with SETUP=$SETUP a visitor reads what to do, at 360 px without scrolling aside, and has no form that would be refused',
  async ({ SETUP, says }) => {
    const { page, problems, close } = await visit(SETUP, 360);

    await page.getByText(says).waitFor();
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/set-up-${SETUP}-360.png` });

    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(problems).toEqual([]);
    await close();
  },
);

testInBrowser('with SETUP=master-key the owner that the line of the page makes signs in through its link', async () => {
  const { gateway, page, problems, close } = await visit('master-key');
  const account = { email: `${unique('owner')}@example.com`, password: 'a pass phrase for tests' };
  const line = (await page.locator('pre').textContent()) ?? '';
  const url = line.match(/^curl '([^']+)'/)![1]!;
  const body = { ...(JSON.parse(line.match(/-d '(.*)'$/s)![1]!) as object), ...account };

  const { status } = await sendRequest(gateway.url, 'post', new URL(url).pathname, {
    body,
    headers: { 'x-admin-key': gateway.masterKey },
  });
  await page.getByRole('link', { name: 'sign in', exact: true }).click();
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  expect(status).toBe(200);
  expect(line).toContain('-H "X-Admin-Key: $MASTER_KEY"');
  expect(problems).toEqual([]);
  await close();
});

testInBrowser('with SETUP=open the first visitor creates the owner in the page', async () => {
  const { page, problems, close } = await visit('open');

  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill(`${unique('owner')}@example.com`);
  await page.getByLabel('Password').fill('a pass phrase for tests');
  await page.getByRole('button', { name: 'Create the owner' }).click();
  await page.getByRole('heading', { level: 1, name: 'First call' }).waitFor();

  expect(problems).toEqual([]);
  await close();
});
