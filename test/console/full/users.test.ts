import { unique } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { signInAsAdmin } from '../support/console-page.ts';

const { given, openAsOwner } = consoleForTests();

testInBrowser('an owner creates an account, changes its role and deletes it, and the audit log shows it', async () => {
  const name = unique('Grace');
  const { page, problems } = await openAsOwner('/users');
  const row = page.getByRole('row', { name });

  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('E-mail').last().fill(`${name}@example.com`);
  await page.getByLabel('Password').fill('another pass phrase');
  await page.getByLabel('Role').last().selectOption('admin');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await row.getByText('admin').waitFor();
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('user');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('user', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('row', { name: 'Ada Lovelace deleted the user' }).waitFor();

  expect(await page.getByRole('row', { name: 'created the user' }).count()).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

testInBrowser('an entry of the audit log leads to what it is about, and back to all about it', async () => {
  const team = await given.team();
  const { page, problems } = await openAsOwner(`/audit?kind=team&resource=${team.teamId}`);

  await page.getByText('created the team').waitFor();
  await page.getByRole('link', { name: team.teamId }).click();
  await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor();
  await page.getByRole('link', { name: 'In the audit log' }).click();
  await page.getByRole('button', { name: `Id or name ${team.teamId}` }).waitFor();

  expect(page.url()).toContain('/audit?');
  expect(problems).toEqual([]);
});

testInBrowser('an account without a right to figures is led from the pages of others to its own', async () => {
  const { page, problems } = await openAsOwner('/users');
  const name = unique('Joan');
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('E-mail').last().fill(`${name}@example.com`);
  await page.getByLabel('Password').fill('another pass phrase');
  await page.getByLabel('Role').last().selectOption('user');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('row', { name }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAsAdmin(page, { email: `${name}@example.com`, password: 'another pass phrase' });
  problems.length = 0;

  for (const path of ['/', '/team']) {
    await page.goto(`/console${path}`);
    await page.waitForURL('**/console/me*');
    await page.getByRole('heading', { name }).waitFor();
  }

  expect(problems).toEqual([]);
});
