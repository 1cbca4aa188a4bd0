import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

testInBrowser(
  'an admin deletes the payloads of an ended job, sees of how many calls, and nobody reads them any more (spec 3.20)',
  async () => {
    const team = await given.team();
    const job = await given.job(team);
    const { call, complete, get } = as(gateway, team);
    for (let n = 0; n < 2; n++) expectOk(await call(job));
    const { page, problems } = await openAsOwner(`/jobs/${job}`);
    const button = page.getByRole('button', { name: 'Delete payloads' });

    await page.getByTitle('The job is in progress').and(button).waitFor();
    await button.click({ force: true });
    const whileOpen = await page.getByRole('dialog').count();
    expectOk(await complete(job));
    await page.locator('button:not([aria-disabled="true"])', { hasText: 'Delete payloads' }).click();
    await page.getByRole('row', { name: 'Requests and responses of 2 calls none' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the payloads' }).click();
    await page.getByText('Deleted request and response of 2 calls').waitFor();
    await page.getByTitle('No texts are stored').and(button).waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: '#1' }).click();
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.getByText('The texts of this call are not stored').waitFor();

    expect(whileOpen).toBe(0);
    const { calls } = expectOk(await get(`/api/jobs/${job}/calls`));
    expect(calls.map(({ payload_stored }: { payload_stored: boolean }) => payload_stored)).toEqual([false, false]);
    expect(problems).toEqual([]);
  },
);

testInBrowser("a team's session has no button that deletes payloads, which it may not do (spec 19.4)", async () => {
  const team = await given.team();
  const job = expectOk(await as(gateway, team).single()).job_id;
  const { page } = await openAsTeam(team.key, `/jobs/${job}`);

  await page.getByRole('button', { name: 'Cancel' }).waitFor();

  expect(await page.getByRole('button', { name: 'Delete payloads' }).count()).toBe(0);
});

testInBrowser(
  'an admin erases a user whose id is entered twice, and sees how many jobs and payloads it was and what is open (spec 8.11)',
  async () => {
    const team = await given.team();
    const user = { user_id: 'user 17/ä' };
    const { single, get } = as(gateway, team);
    const ended = [];
    for (let n = 0; n < 2; n++) ended.push(expectOk(await single(user)).job_id);
    const other = expectOk(await single({ user_id: 'user 1' })).job_id;
    const open = await given.job(team, user);
    const { page, problems } = await openAsOwner(`/teams/${team.teamId}`);

    await page.getByRole('button', { name: 'Erase a user' }).click();
    const dialog = page.getByRole('dialog');
    const erase = dialog.getByRole('button', { name: 'Erase the user' });
    await dialog.getByLabel('Id of the user').fill(user.user_id);
    await dialog.getByLabel('The id once more').fill('user 1');
    const isSafe = await erase.isDisabled();
    await dialog.getByLabel('The id once more').fill('user 2');
    await dialog.getByText('This is another id').waitFor();
    await dialog.getByLabel('The id once more').fill(user.user_id);
    await dialog.getByRole('row', { name: 'Ended jobs of this user 2 0' }).waitFor();
    await dialog.getByRole('row', { name: 'Open jobs of this user 1 1' }).waitFor();
    await erase.click();
    await dialog.getByText('Erase the user again when 1 job has ended').waitFor();
    const facts = (await dialog.locator('dl').textContent())!;

    expect(isSafe).toBe(true);
    expect(facts.match(/\d+/g)).toEqual(['2', '2', '1']);
    const userOf = async (job: string) => expectOk(await get(`/api/jobs/${job}`)).user_id;
    expect(await Promise.all([...ended, other, open].map(userOf))).toEqual([null, null, 'user 1', user.user_id]);
    expect(problems).toEqual([]);
  },
);

testInBrowser('a user without a job is shown as such before and after it is erased (spec 8.11)', async () => {
  const team = await given.team();
  const { page } = await openAsOwner(`/teams/${team.teamId}`);

  await page.getByRole('button', { name: 'Erase a user' }).click();
  await until(() => page.evaluate(`document.activeElement.tagName === 'INPUT'`));
  await page.keyboard.type('nobody');
  await page.keyboard.press('Tab');
  await page.keyboard.type('nobody');
  await page.getByRole('row', { name: 'Ended jobs of this user 0 0' }).waitFor();
  await page.keyboard.press('Enter');

  await page.getByText('No job of this team has this user.').waitFor();
});

testInBrowser(
  'the settings of a team show for how many days texts are kept without a value of its own, and what 0 is (spec 4.22)',
  async () => {
    const team = await given.team();
    const { page, problems } = await openAsOwner(`/teams/${team.teamId}?tab=settings`);
    const field = page.getByLabel('Days for which texts are kept');
    await page.getByPlaceholder('default of the installation: 30 days').and(field).waitFor();
    await page.getByText('0: they are deleted ten minutes after the end of their call').waitFor();

    await field.fill('0');
    await page
      .getByRole('row', { name: 'Days for which texts are kept default of the installation: 30 days 0' })
      .waitFor();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Changed the settings').waitFor();
    await field.fill('');
    await page
      .getByRole('row', { name: 'Days for which texts are kept 0 default of the installation: 30 days' })
      .waitFor();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByPlaceholder('default of the installation: 30 days').and(field).waitFor();

    expect(problems).toEqual([]);
  },
);
