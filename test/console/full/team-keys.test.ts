import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

testInBrowser('a further key of a team is made, used, limited and deleted', async () => {
  const team = await given.team();
  const { page, problems } = await openAsOwner(`/teams/${team.teamId}?tab=keys`);
  const path = `/api/teams/${team.teamId}/keys`;
  const keys = async () => expectOk(await asAdmin(gateway).get(path)).keys;

  await page.getByText('The team has only its first key').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Portal');
  await page.getByLabel('Credits that its jobs may take').fill('50');
  await page.getByLabel('The credits count').selectOption('monthly');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByText('this page shows it only once').waitFor();
  const shown = await page
    .getByText(/^sk-\S+$/)
    .first()
    .textContent();
  const job = await given.job({ ...team, key: shown!.trim() });
  await page.getByRole('button', { name: 'I have stored the key' }).click();

  await page.getByText('0 used, 1 held of 50 a month').waitFor();
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).key_id).toBe((await keys())[0].key_id);
  await page.getByRole('button', { name: 'Change Portal' }).click();
  await page.getByLabel('Credits that its jobs may take').fill('');
  await page.getByRole('button', { name: 'Save the key' }).click();
  await page.getByText('0 used, 1 held', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete Portal' }).click();
  await page.getByText('refused (401)').waitFor();
  await page.getByRole('button', { name: 'Delete the key' }).click();
  await page.getByText('The team has only its first key').waitFor();

  expect(await keys()).toEqual([]);
  expect(problems).toEqual([]);
});
