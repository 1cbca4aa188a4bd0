import { setPrice } from '../../http/prices/given-prices.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk, unique } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

testInBrowser(
  'a price of a team is set, with what its charged jobs would have cost, then changed and deleted',
  async () => {
    const team = await given.team();
    expectOk(await as(gateway, team).complete(await given.job(team)));
    const { page, problems } = await openAsOwner(`/prices?team=${team.teamId}`);
    const path = `/api/teams/${team.teamId}/job-types/report`;
    const read = async () => expectOk(await asAdmin(gateway).get(path));

    await page.getByRole('button', { name: 'New price' }).click();
    await page.getByLabel('Job type', { exact: true }).fill('report');
    await page.getByLabel('Credits', { exact: true }).fill('5');
    await page.getByText('5 credits, where billed by job').waitFor();
    await page.getByRole('button', { name: 'Save the price' }).click();
    await page.getByRole('button', { name: 'Edit report' }).click();
    await page.getByLabel('A job is charged if').selectOption('answered');
    await page.getByLabel('Budget').fill('{"max_calls": 3}');
    await page.getByRole('button', { name: 'Save the price' }).click();
    await page.getByRole('table', { name: 'Prices' }).getByText('With one answer, however it ends').waitFor();

    expect(await read()).toMatchObject({ credits: 5, billing_policy: 'answered', budget: { max_calls: 3 } });
    await page.getByRole('button', { name: 'Delete report' }).click();
    await page.getByRole('button', { name: 'Delete the price' }).click();
    await page.getByText('No job type has a price').waitFor();
    expect((await asAdmin(gateway).get(path)).status).toBe(404);
    expect(problems).toEqual([]);
  },
);

testInBrowser('the receipt of a job with a price shows it, and its superseded calls', async () => {
  const failing = await given.modelGroup(['sim-fail-500']);
  const ok = await given.modelGroup();
  const team = await given.team({ model_groups: [ok, failing], billing_policy: 'superseded_ok' });
  const type = unique('type');
  await setPrice(gateway, team.teamId, type, { credits: 3 });
  const job = await given.job(team, { job_type: type });
  for (const model_group of [failing, ok]) await as(gateway, team).call(job, { model_group });
  expectOk(await as(gateway, team).complete(job));

  const { page } = await openAsOwner(`/jobs/${job}`);

  await page.getByText('a price of 3 credits').waitFor();
  await page.getByText('1 failed, 1 superseded').waitFor();
});
