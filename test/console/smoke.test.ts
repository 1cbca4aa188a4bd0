import type { Browser } from 'playwright-core';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { runProgram } from '../support/run-program.ts';
import { launchChromium, testInBrowser } from './support/chromium.ts';
import { openPage, signInAsAdmin, signInAsTeam } from './support/console-page.ts';

// Before the gateway, which reads the build when it starts.
beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);
const gateway = gatewayForTests();
const given = givenIn(gateway);
const owner = { email: `${unique('owner')}@example.com`, password: 'a pass phrase for tests' };

let browser: Browser;
beforeAll(() => given.admin('post', '/api/admin-users/setup', { ...owner, display_name: 'Owner' }));
afterAll(() => browser?.close());

testInBrowser('an admin signs in, finds a job, reads its receipt and cancels another one', async () => {
  browser = await launchChromium();
  const team = await given.team();
  const charged = expectOk(await as(gateway, team).single()).job_id as string;
  const open = await given.job(team);
  const { page, problems } = await openPage(browser, gateway.current.url);

  await signInAsAdmin(page, owner);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('link', { name: charged.slice(0, 8) }).click();
  await page.getByRole('heading', { level: 1 }).getByText('credit').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: open.slice(0, 8) }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await page.getByText('The job is cancelled').waitFor();

  expect(expectOk(await as(gateway, team).get(`/api/jobs/${open}`)).status).toBe('cancelled');
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
});

testInBrowser('a team signs in with its key, sees its own jobs only, and its key is nowhere in the page', async () => {
  browser ??= await launchChromium();
  const [team, other] = [await given.team(), await given.team()];
  const [own, foreign] = [await given.job(team), await given.job(other)];
  const { page } = await openPage(browser, gateway.current.url);

  await signInAsTeam(page, team.key);
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('link', { name: own.slice(0, 8) }).waitFor();

  expect(await page.getByRole('link', { name: foreign.slice(0, 8) }).count()).toBe(0);
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, location.href])');
  expect((await page.content()) + String(stored)).not.toContain(team.key);
});
