import type { Page } from 'playwright-core';
import { rollUpCalls } from '../../../src/db/maintenance/roll-up-calls.ts';
import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

const jobsOn = (page: Page, text: string) =>
  page
    .locator('dl > div', { has: page.getByText('Jobs', { exact: true }) })
    .getByRole('link', { name: text, exact: true })
    .waitFor();

testInBrowser(
  'before a call is counted the overview and the health of models show until when calls are counted',
  async () => {
    const team = await given.team();
    const { page, problems } = await openAsOwner('/?range=24h');
    const counted = page.getByText('Newer ones are not counted yet');

    await page.getByText('Calls are not counted yet').waitFor();
    await rollUpCalls(gateway.current.deps.database, () => undefined, { settledAfterMs: 0 });
    expectOk(await as(gateway, team).single());
    // The figures of before may be read for two seconds more.
    await until(async () => {
      await page.reload();
      await page.getByText('Cost by model group').waitFor();
      return (await counted.count()) > 0;
    });
    const ofOverview = await counted.textContent();
    await page.goto('/console/models?tab=health');
    await counted.first().waitFor();

    expect(ofOverview).toMatch(/^No call that ended by \d+ \w+( \d{4})? [\d:]{8} is in this range/);
    expect(await page.getByText('No call has ended').count()).toBe(0);
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'the overview of everybody and that of a team count a new job without being loaded again (spec 20.7)',
  async () => {
    const team = await given.team();
    await given.job(team);
    const ofTeam = await openAsTeam(team.key, '/team?range=24h');
    await jobsOn(ofTeam.page, '1');
    await ofTeam.page.getByRole('status').getByText('Live').waitFor();
    const ofAll = await openAsOwner('/?range=24h');
    await ofAll.page.getByRole('status').getByText('Live').waitFor();
    const before = Number(
      await ofAll.page
        .locator('dl > div', { has: ofAll.page.getByText('Jobs', { exact: true }) })
        .getByRole('link')
        .textContent(),
    );

    await given.job(team);

    await Promise.all([jobsOn(ofTeam.page, '2'), jobsOn(ofAll.page, String(before + 1))]);
    expect([...ofTeam.problems, ...ofAll.problems]).toEqual([]);
  },
);
