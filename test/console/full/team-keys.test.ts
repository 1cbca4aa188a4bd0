import { keysIn } from '../../http/keys/keys-of-teams.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();
const further = keysIn(gateway);

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
    .getByText(/^sk-[\w-]+$/)
    .first()
    .textContent();
  const job = await given.job({ ...team, key: shown!.trim() });
  await page.getByRole('button', { name: 'I have stored the key' }).click();

  await page.getByText('0 used, 1 held of 50 a month').waitFor();
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).key_id).toBe((await keys())[0].key_id);
  await page.getByRole('button', { name: 'Change Portal' }).click();
  await page.getByLabel('Credits that its jobs may take').fill('');
  await page.getByRole('row', { name: 'Credit limit 50 none' }).waitFor();
  await page.getByRole('button', { name: 'Save the key' }).click();
  await page.getByText('0 used, 1 held', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete Portal' }).click();
  await page.getByText('refused (401)').waitFor();
  await page.getByRole('button', { name: 'Delete the key' }).click();
  await page.getByText('The team has only its first key').waitFor();

  expect(await page.content()).not.toContain(shown);
  expect(await keys()).toEqual([]);
  expect(problems).toEqual([]);
});

testInBrowser('the keys of a team follow what is made, used and deleted elsewhere', async () => {
  const team = await given.team();
  const { page } = await openAsOwner(`/teams/${team.teamId}?tab=keys`);
  await page.getByText('The team has only its first key').waitFor();

  const { keyId, team: caller } = await further.given(team, { name: 'elsewhere' });
  await page.getByText('0 used, 0 held').waitFor();
  await given.job(caller);
  await page.getByText('0 used, 1 held').waitFor();
  await further.delete(team, keyId);

  await page.getByText('The team has only its first key').waitFor();
});

testInBrowser(
  'a key that has expired is marked, and one whose name another key has is refused in its form',
  async () => {
    const team = await given.team();
    await further.given(team, { name: 'short', expires_at: new Date(Date.now() + 1_500).toISOString() });
    const { page } = await openAsOwner(`/teams/${team.teamId}?tab=keys`);

    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('long');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('button', { name: 'I have stored the key' }).click();

    await page.getByRole('row', { name: /^short Expired/ }).waitFor();
    await page.getByRole('row', { name: /^long Active/ }).waitFor();
  },
);

testInBrowser(
  'an admin sees the name of the key of a job, a team its id, and both reach its jobs from there',
  async () => {
    const team = await given.team();
    const key = await further.given(team, { name: 'customer-of-a-name' });
    const jobId = expectOk(await as(gateway, key.team).single()).job_id;
    const ofAdmin = await openAsOwner(`/teams/${team.teamId}?tab=keys`);
    const ofTeam = await openAsTeam(team.key, `/jobs/${jobId}`);

    await ofAdmin.page.getByRole('link', { name: 'customer-of-a-name' }).click();
    await ofAdmin.page.getByRole('link', { name: jobId.slice(0, 8) }).click();
    await ofAdmin.page.getByRole('link', { name: 'customer-of-a-name' }).waitFor();
    await ofTeam.page.getByRole('link', { name: key.keyId }).click();
    await ofTeam.page.getByRole('link', { name: jobId.slice(0, 8) }).waitFor();

    expect(await ofTeam.page.content()).not.toContain('customer-of-a-name');
    expect([...ofAdmin.problems, ...ofTeam.problems]).toEqual([]);
  },
);
