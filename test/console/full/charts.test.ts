import { as, expectOk } from '../../support/given.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

beforeAll(async () => {
  const team = await given.team();
  expectOk(await as(gateway, team).single());
  await given.job(team);
});

testInBrowserFor(
  [
    { path: '/', name: /^Jobs by outcome/ },
    { path: '/jobs', name: /^Jobs by outcome/ },
    { path: '/usage', name: /^Jobs over time/ },
  ],
  'the arrow keys read the chart of $path point by point, and Esc leaves it',
  async ({ path, name }) => {
    const { page, problems } = await openAsOwner(path);
    const chart = page.getByRole('application', { name });
    await chart.focus();
    const readout = page.locator('figcaption').first();
    const before = await readout.textContent();

    await page.keyboard.press('End');
    const last = await readout.textContent();
    await page.keyboard.press('ArrowLeft');
    const oneBefore = await readout.textContent();
    await page.keyboard.press('Home');
    const first = await readout.textContent();
    await page.keyboard.press('Escape');

    expect(new Set([before, last, oneBefore, first]).size).toBe(4);
    expect(await readout.textContent()).toBe(before);
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowser('the arrow keys with Shift mark a range of the chart, and Enter shows its jobs', async () => {
  const { page } = await openAsOwner('/?range=30d');
  await page.getByRole('application', { name: /^Jobs by outcome/ }).focus();

  for (const key of ['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL('**/console/jobs?*');

  const { searchParams } = new URL(page.url());
  const [from, to] = [searchParams.get('from')!, searchParams.get('to')!];
  expect(Math.ceil((Date.parse(to) - Date.parse(from)) / 86_400_000)).toBe(3);
  await page.context().close();
});

testInBrowser('rows that are selected without taking the focus stay selected together', async () => {
  const team = await given.team();
  const jobs = [await given.job(team), await given.job(team), await given.job(team)];
  const { page } = await openAsOwner(`/jobs?team=${team.teamId}`);
  await page.getByLabel(`Select ${jobs[0]}`).waitFor();

  for (const job of jobs) await page.evaluate(`document.querySelector('[aria-label="Select ${job}"]').click()`);

  await page.getByRole('button', { name: 'Cancel 3' }).waitFor();
  await page.context().close();
});
