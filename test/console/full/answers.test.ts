import type { Page } from 'playwright-core';
import { rollUpCalls } from '../../../src/db/maintenance/roll-up-calls.ts';
import { bucketStart, dayMs } from '../../../src/domain/time/buckets.ts';
import { as, expectOk } from '../../support/given.ts';
import { recordJob, recordTeam } from '../../support/given-record.ts';
import { until } from '../../support/until.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests({ settings: { USD_PER_CREDIT: '0.25' } });

const month = (ago: number): Date => bucketStart('month', new Date(), 'UTC', -ago);
const limited = { failure: 'rate_limited', status_code: 429, error_code: 'rate_limit_exceeded' } as const;

/** Four jobs of now whose first model was limited, and one job in each of the two months before. */
beforeAll(async () => {
  const { database } = gateway.current.deps;
  await recordTeam(database, 'acme', 'acme-one', 1_000);
  const job = { team: 'acme-one', end: 'completed', usd_per_credit: '0.25' } as const;
  for (const _ of [1, 2, 3, 4])
    await recordJob(database, {
      ...job,
      created_at: new Date(),
      calls: [{ models: ['weak', 'claude'], causes: [limited] }],
    });
  await recordJob(database, { ...job, created_at: new Date(month(1).getTime() + dayMs), credits: 4 });
  await recordJob(database, {
    ...job,
    created_at: new Date(month(2).getTime() + dayMs),
    credits: 2,
    job_type: 'letter',
  });
  await rollUpCalls(database, () => undefined, { settledAfterMs: 0 });
});

const rowsOf = async (page: Page, name: string): Promise<number> => {
  const table = page.getByRole('table', { name, exact: true });
  await table.locator('tr[data-row]').first().waitFor();
  return table.locator('tr[data-row]').count();
};

testInBrowser(
  'a failing model of the overview leads to its causes, and a cause to exactly its calls and jobs (spec 20.15)',
  async () => {
    const { page, problems } = await openAsOwner('/');

    await page.getByRole('link', { name: /weak/ }).click();
    const causes = page.getByRole('table', { name: 'Errors by kind and model' });
    const row = causes.locator('tr[data-row]').first();
    await row.waitFor();
    const text = await row.textContent();
    await row.getByRole('link').last().click();
    await page.waitForURL('**/console/jobs?*');
    const jobs = await rowsOf(page, 'Jobs');
    await page.goBack();
    await row.getByRole('link').first().click();
    await page.waitForURL('**/console/errors?*');
    const calls = await rowsOf(page, 'Calls with an error');

    expect(text).toMatch(/Rate limited.*weak/);
    expect([jobs, calls]).toEqual([4, 4]);
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowser('the margins of two months are on the screen three clicks after the overview (spec 19.75)', async () => {
  const { page, problems } = await openAsOwner('/');

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Margins' }).click();
  await page.getByLabel('Time range').selectOption('last-month');
  const margin = page.locator('main dl > div', { has: page.getByText('Margin', { exact: true }) });
  await margin.getByText('before').waitFor();
  await until(
    async () => await margin.textContent(),
    (text) => text!.includes('$1.00') && text!.includes('$0.50'),
  );

  await page.getByRole('application', { name: /^Margin in USD over time/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('last-month');
  expect(problems).toEqual([]);
  await page.context().close();
});

testInBrowser('a name in the legend of a chart leads to the jobs of its group (spec 20.14)', async () => {
  const { page, problems } = await openAsOwner('/usage?metric=jobs&by=job_type&range=90d');

  await page.locator('figcaption').getByRole('link', { name: 'letter' }).click();
  await page.waitForURL('**/console/jobs?*');

  expect(new URL(page.url()).searchParams.get('type')).toBe('letter');
  expect(await rowsOf(page, 'Jobs')).toBe(1);
  expect(problems).toEqual([]);
  await page.context().close();
});

testInBrowser(
  'all open jobs that match are cancelled after their number is shown, and no others (spec 20.16)',
  async () => {
    const team = await given.team();
    for (const _ of [1, 2, 3]) await given.job(team, { job_type: 'stuck' });
    const spared = await given.job(team, { job_type: 'other' });
    const { page, problems } = await openAsOwner(`/jobs?team=${team.teamId}&type=stuck`);

    await page.getByRole('button', { name: 'Cancel open ones …' }).click();
    await page.getByRole('button', { name: 'Cancel 3 open jobs' }).click();
    await page.getByText('Cancelled 3 jobs').waitFor();

    const { jobs } = expectOk(await as(gateway, team).get('/api/jobs?status=cancelled'));
    expect(jobs).toHaveLength(3);
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${spared}`)).status).toBe('pending');
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowser(
  'a view that one admin shares is listed for another, and a filter offers what there is (spec 19.77, spec 19.78)',
  async () => {
    const one = await openAsOwner('/jobs?type=letter&range=90d');
    await one.page.getByRole('button', { name: 'Views' }).click();
    await one.page.getByLabel('Name for all admins').fill('Letters');
    await one.page.getByRole('button', { name: 'Share' }).click();
    await one.page
      .getByRole('list', { name: 'Views that all admins share' })
      .getByRole('link', { name: /Letters/ })
      .waitFor();

    const other = await openAsOwner('/jobs');
    await other.page.getByRole('button', { name: 'Views' }).click();
    await other.page.getByRole('link', { name: /Letters/ }).click();
    await other.page.waitForURL('**type=letter*');
    await other.page.getByRole('button', { name: 'Filter' }).click();
    await other.page.getByLabel('Field').selectOption('type');
    await other.page.locator('datalist option[value="letter"]').waitFor({ state: 'attached' });

    expect([...one.problems, ...other.problems]).toEqual([]);
    await Promise.all([one.page.context().close(), other.page.context().close()]);
  },
);
