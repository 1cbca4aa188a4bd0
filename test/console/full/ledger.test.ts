import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

testInBrowser('the ledger of a team shows the totals of the service, and that it equals the balances', async () => {
  const team = await given.team({ credits: 5 });
  for (let count = 0; count < 2; count += 1) expectOk(await as(gateway, team).single());
  const { page, problems } = await openAsOwner(`/ledger?team=${team.teamId}`);

  await page.getByText('Ledger equals balances').waitFor();
  await page.getByText('Each row counts when it was written').waitFor();
  await page.getByRole('table', { name: 'Ledger' }).getByText('deduction').first().waitFor();
  const totals = await page.locator('dl').first().locator('dt, dd').allTextContents();
  await page.getByLabel('Type').selectOption('deduction');
  await page.getByRole('button', { name: 'Type Deductions' }).waitFor();

  expect(totals).toEqual(['Rows', '3', 'Deducted', '2', 'Refunded', '0', 'Allocated', '5', 'Adjusted', '0']);
  expect(page.url()).toContain('type=deduction');
  expect(problems).toEqual([]);
});

testInBrowser('a team sees its own ledger rows only, and no check of all accounts', async () => {
  const [own, other] = [await given.team(), await given.team()];
  const [charged, foreign] = [
    expectOk(await as(gateway, own).single()).job_id as string,
    expectOk(await as(gateway, other).single()).job_id as string,
  ];
  const { page, problems } = await openAsTeam(own.key, '/ledger');

  await page.getByRole('link', { name: charged.slice(0, 8) }).waitFor();

  expect(await page.getByText(foreign.slice(0, 8)).count()).toBe(0);
  expect(await page.getByText('Ledger equals balances').count()).toBe(0);
  expect(problems).toEqual([]);
});
