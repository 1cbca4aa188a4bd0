import type { Locator, Page } from 'playwright-core';
import { bucketStart, dayMs } from '../../../src/domain/time/buckets.ts';
import { recordJob, recordTeam } from '../../support/given-record.ts';
import { until } from '../../support/until.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests({ settings: { USD_PER_CREDIT: '0.25' } });

const today = bucketStart('day', new Date()).getTime();
/** The last moment of a day and the first one, so many days ago: what a range may take in or leave out. */
const endOf = (daysAgo: number) => new Date(today - (daysAgo - 1) * dayMs - 1);
const startOf = (daysAgo: number) => new Date(today - daysAgo * dayMs);

/** Jobs at the edges of each range, and how many each range has. */
const edges = [0, 1, 2, 6, 7, 29, 30, 89, 90];
const lengths = { today: 1, '24h': 2, '7d': 7, '30d': 30, '90d': 90 };
const cases = Object.entries(lengths).map(([range, days]) => ({ range, days }));

beforeAll(async () => {
  const { database } = gateway.current.deps;
  await recordTeam(database, 'acme', 'acme-one', 1_000);
  for (const daysAgo of edges) {
    await recordJob(database, { team: 'acme-one', created_at: startOf(daysAgo), end: 'completed' });
    if (daysAgo > 0)
      await recordJob(database, { team: 'acme-one', created_at: endOf(daysAgo), end: 'failed', credits: 0 });
  }
});

const jobsIn = (days: number): number =>
  edges.filter((daysAgo) => daysAgo < days).reduce((sum, daysAgo) => sum + (daysAgo > 0 ? 2 : 1), 0);

const figure = (page: Page, label: string): Locator =>
  page
    .locator('main dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first();

/** How many rows the list of jobs has, once it has read them. */
async function countOf(page: Page): Promise<number> {
  await page.waitForURL('**/console/jobs?*');
  const table = page.getByRole('table', { name: 'Jobs', exact: true });
  await table.locator('tr[data-row]').first().waitFor();
  const rows = await table.locator('tr[data-row]').count();
  await until(async () => Number(await table.getAttribute('aria-rowcount')) === rows);
  return rows;
}

const rangeOf = (page: Page): Record<string, string> =>
  Object.fromEntries([...new URL(page.url()).searchParams].filter(([name]) => ['range', 'from', 'to'].includes(name)));

testInBrowserFor(
  cases,
  'the range $range means the same days on each page, and the link of a figure keeps it (decision 107)',
  async ({ range, days }) => {
    const { page, problems } = await openAsOwner(`/?range=${range}`);
    const ofOverview = Number(await figure(page, 'Jobs').textContent());
    await figure(page, 'Jobs').getByRole('link').click();
    const ofList = await countOf(page);
    const keptByLink = rangeOf(page);
    const picked = await page.getByLabel('Time range').inputValue();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Margins' }).click();
    const ofMargins = Number(await figure(page, 'Jobs').textContent());
    const failedJobs = edges.filter((daysAgo) => daysAgo > 0 && daysAgo < days).length;
    await figure(page, 'Cost of failed jobs').getByRole('link').click();
    const failed = failedJobs > 0 ? await countOf(page) : 0;
    await pages.getByRole('link', { name: 'Usage' }).click();
    const usage = page.getByRole('table', { name: 'Groups' }).getByRole('row').last();
    const ofUsage = Number(await usage.getByRole('cell').last().textContent());

    expect([ofOverview, ofList, ofMargins, ofUsage]).toEqual(Array(4).fill(jobsIn(days)));
    expect(failed).toBe(failedJobs);
    expect(keptByLink).toEqual({ range });
    expect(picked).toBe(range);
    expect(rangeOf(page)).toEqual({ range });
    expect(problems).toEqual([]);
    await page.context().close();
  },
  60_000,
);

testInBrowser('a part of the range that a link shows holds for its page only (decision 107)', async () => {
  const { page } = await openAsOwner('/organizations/acme?range=30d');
  await page.getByRole('link', { name: 'Jobs of the month' }).click();
  await page.waitForURL('**/console/jobs?*');
  const ofMonth = rangeOf(page);

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
  await figure(page, 'Jobs').waitFor();

  expect(ofMonth).toMatchObject({ range: '30d', from: expect.stringMatching(/-01T00:00:00.000Z$/) });
  expect(rangeOf(page)).toEqual({ range: '30d' });
  await page.context().close();
});

testInBrowser('a fixed range within a day is shown as the days that its figures are of (decision 107)', async () => {
  const day = startOf(6).toISOString().slice(0, 10);
  const { page } = await openAsOwner(`/?from=${day}T10:00:00Z&to=${day}T11:00:00Z`);
  const ofOverview = Number(await figure(page, 'Jobs').textContent());
  const words = await page.getByLabel('Time range').locator('option:checked').textContent();

  await figure(page, 'Jobs').getByRole('link').click();

  expect(await countOf(page)).toBe(ofOverview);
  expect(words).toMatch(/^(\d+ \w+ \(UTC\)) – \1$/);
  await page.context().close();
});

testInBrowser('the links to all jobs and the full ledger of a team reach back to its beginning', async () => {
  const team = await given.team();
  await given.job(team);
  const { page } = await openAsOwner(`/teams/${team.teamId}?range=today`);
  await page.getByRole('link', { name: 'All jobs of this team' }).click();

  expect(await countOf(page)).toBe(1);
  expect(rangeOf(page)).toEqual({ range: 'today', from: new Date(today).toISOString().slice(0, 10) });
  await page.context().close();
});
