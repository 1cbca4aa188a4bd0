import type { Page } from 'playwright-core';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { consolePages, givenShown, visit } from './pages.ts';

const { gateway, given, owner, openAsOwner, openAsTeam } = consoleForTests();

/** Everything that a page has, where a secret could stay: its document, its address, and what the browser stores for it. */
async function tracesOf(page: Page): Promise<string> {
  const stored = await page.evaluate(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
    await indexedDB.databases(), await caches.keys(), performance.getEntriesByType('resource').map(({ name }) => name)]))()`);
  return `${await page.content()} ${stored}`;
}

testInBrowser(
  'a virtual key and a password are in no page, address or storage of those who have signed in with them (spec 20.6)',
  async () => {
    const { team, shown } = await givenShown(gateway);
    const paths = consolePages(shown);
    const signedIn = [
      { page: (await openAsOwner('/me')).page, paths: paths.admin },
      { page: (await openAsTeam(team.key, '/me')).page, paths: paths.team },
    ];

    for (const { page, paths } of signedIn)
      for (const path of paths) {
        await visit(page, path);
        const traces = await tracesOf(page);
        expect([path, traces.includes(team.key)]).toEqual([path, false]);
        expect([path, traces.includes(owner.password)]).toEqual([path, false]);
      }
  },
  180_000,
);

testInBrowser('a key that was revealed is hidden again after 60 seconds, and leaves nothing behind', async () => {
  const team = await given.team();
  const { page } = await openAsOwner('/me');
  await page.clock.install();
  await page.goto(`/console/teams/${team.teamId}`);
  await page.getByRole('button', { name: 'Reveal key' }).click();
  await page.getByRole('button', { name: 'Show the key for 60 s' }).click();
  await page.getByText(team.key).waitFor();

  await page.clock.runFor(55_000);
  const before = await page.getByText(team.key).count();
  await page.clock.runFor(6_000);
  await page.getByText(team.key).waitFor({ state: 'detached' });

  expect(before).toBe(1);
  expect(await tracesOf(page)).not.toContain(team.key);
});
