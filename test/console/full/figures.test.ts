import type { Page } from 'playwright-core';
import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

/** The figure with a name: its text, once it is there. */
const figure = (page: Page, label: string) =>
  page
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first();

const lastRow = (page: Page) => page.getByRole('table', { name: 'Groups' }).getByRole('row').last();

testInBrowser(
  'a figure of the overview is the same on the page that it leads to, for each figure with a page',
  async () => {
    const team = await given.team();
    expectOk(await as(gateway, team).single());
    await given.job(team);
    const { page, problems } = await openAsOwner('/?range=24h');
    const jobs = await figure(page, 'Jobs').textContent();
    const credits = await figure(page, 'Credits charged').textContent();
    const cost = await figure(page, 'Provider cost').textContent();

    await figure(page, 'Credits charged').getByRole('link').click();
    await page.waitForURL('**/console/margins*');
    const margins = {
      jobs: await figure(page, 'Jobs').textContent(),
      credits: await page.getByText(' charged, 0 refunded').textContent(),
      cost: await figure(page, 'Provider cost').textContent(),
    };
    await page.goBack();
    await figure(page, 'Provider cost').getByRole('link').click();
    await page.waitForURL('**/console/usage*');
    const usage = await lastRow(page).getByRole('cell').last().textContent();

    expect([jobs, credits]).toEqual(['2', '1']);
    expect(margins).toEqual({ jobs, credits: `${credits} charged, 0 refunded`, cost });
    expect(usage).toBe(cost);
    expect(problems).toEqual([]);
  },
);

testInBrowser('a row of the margins leads to the jobs that it sums, in the days that were summed', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { page } = await openAsOwner('/margins?by=team_id&range=24h');

  await page.getByRole('table', { name: 'Margins' }).getByRole('link', { name: team.teamId }).click();

  await page.waitForURL(`**/console/jobs?*team=${team.teamId}*`);
  await page.getByRole('link', { name: job.slice(0, 8) }).waitFor();
});

testInBrowser('without a price of a credit the margin names the missing setting', async () => {
  const { page } = await openAsOwner('/');

  const margin = figure(page, 'Margin');

  expect(await margin.textContent()).toBe('–a credit has no price');
  await page.getByText('USD_PER_CREDIT').waitFor();
});
