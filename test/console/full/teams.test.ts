import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk, unique } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();
const admin = asAdmin(gateway);

testInBrowser('the key of a team that is created in the console is shown once and makes a job', async () => {
  const [organizationId, modelGroup, teamId] = [await given.organization(), await given.modelGroup(), unique('team')];
  const { page, problems } = await openAsOwner('/teams');

  await page.getByRole('button', { name: 'New team' }).first().click();
  await page.getByLabel('Organization').selectOption(organizationId);
  await page.getByLabel('Team id').fill(teamId);
  await page.getByRole('checkbox', { name: modelGroup }).check();
  await page.getByLabel('Credits to start with').fill('7');
  await page.getByRole('button', { name: 'Create the team' }).click();
  const dialog = page.getByRole('dialog', { name: `The team ${teamId} is created` });
  await dialog.waitFor();
  const [key = '', curl] = await dialog.locator('pre').allTextContents();
  await page.getByRole('button', { name: 'I have stored the key' }).click();
  await page.getByRole('link', { name: teamId }).waitFor();

  expect(curl).toContain(key);
  expect(curl).toContain(`"model":"${modelGroup}"`);
  expect(await page.content()).not.toContain(key);
  const team = { organizationId, teamId, key, modelGroup };
  expect(expectOk(await as(gateway, team).single()).status).toBe('completed');
  expect(problems).toEqual([]);
});

testInBrowser('allocating credits shows the balance before and after, and adds them once', async () => {
  const team = await given.team({ credits: 5 });
  const { page, problems } = await openAsOwner(`/teams/${team.teamId}`);

  await page.getByRole('button', { name: 'Allocate' }).click();
  await page.getByLabel('Credits to add').fill('20');
  const balance = await page.getByRole('row', { name: 'Credits left' }).getByRole('cell').allTextContents();
  await page.getByRole('button', { name: 'Allocate 20 credits' }).click();
  await page.getByText(`Allocated 20 credits to ${team.teamId}`).waitFor();

  expect(balance).toEqual(['5', '25']);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(25);
  expect(problems).toEqual([]);
});

testInBrowser('the key of a team is in the page only after it was revealed, which is audited', async () => {
  const team = await given.team();
  const { page } = await openAsOwner(`/teams/${team.teamId}`);

  await page.getByRole('button', { name: 'Reveal key' }).click();
  const before = await page.content();
  await page.getByRole('button', { name: 'Show the key for 60 s' }).click();
  await page.getByText(team.key).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Activity' }).click();
  await page.getByText('revealed the key of').waitFor();

  expect(before).not.toContain(team.key);
  expect(await page.content()).not.toContain(team.key);
});

testInBrowser('a team is suspended and resumed from its page', async () => {
  const team = await given.team();
  const { page } = await openAsOwner(`/teams/${team.teamId}`);
  const status = async () => expectOk(await admin.get(`/api/teams/${team.teamId}`)).status;

  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Suspend the team' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const suspended = await status();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Resume the team' }).click();
  await page.getByRole('button', { name: 'Suspend' }).waitFor();

  expect([suspended, await status()]).toEqual(['suspended', 'active']);
});

testInBrowser('only the settings that were changed are saved', async () => {
  const team = await given.team();
  const { page } = await openAsOwner(`/teams/${team.teamId}?tab=settings`);

  await page.getByLabel('LLM calls a minute').fill('90');
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('Changed the settings').waitFor();

  expect(expectOk(await admin.get(`/api/teams/${team.teamId}`))).toMatchObject({ rpm_limit: 90, tpm_limit: null });
});

testInBrowser('an organization is found, shows its month and its teams, and is suspended', async () => {
  const team = await given.team();
  expectOk(await as(gateway, team).single());
  const { page, problems } = await openAsOwner(`/organizations?q=${team.organizationId}`);

  await page.getByRole('link', { name: 'An organization' }).click();
  await page.getByRole('link', { name: team.teamId }).waitFor();
  await page.getByText('1 completed, 0 failed').waitFor();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Suspend the organization' }).click();
  await page.getByRole('button', { name: 'Activate' }).waitFor();

  const organization = expectOk(await admin.get(`/api/organizations/${team.organizationId}`));
  expect(organization.status).toBe('suspended');
  expect(problems).toEqual([]);
});
