import type { Page } from 'playwright-core';
import { as, expectOk, unique } from '../../support/given.ts';
import { violationsOf } from '../support/axe.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, open } = consoleForTests();

const password = 'another pass phrase';
const linkIn = async (page: Page): Promise<string> =>
  (await page.getByText('/console/invitation#').textContent())!.trim();

/** A picture of what is shown, where somebody wants to look at it. */
const look = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/people-${name}.png` });
};

testInBrowser(
  'a colleague is invited by a link, makes an account, and is gone again, by mouse (spec 12.20, spec 12.21)',
  async () => {
    const name = unique('Grace');
    const email = `${name}@example.com`;
    const { page, problems } = await openAsOwner('/users');

    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(email);
    expect(await violationsOf(page)).toEqual([]);
    await look(page, 'invite');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await linkIn(page);
    expect(await violationsOf(page)).toEqual([]);
    await look(page, 'link');
    await page.getByRole('button', { name: 'Copy and close' }).click();
    await page.getByRole('row', { name: email }).getByText('Invited').waitFor();
    expect(await page.content()).not.toContain(link.split('#')[1]);
    expect(await violationsOf(page)).toEqual([]);
    await look(page, 'users');

    const guest = await open();
    await guest.page.goto(link);
    await guest.page.getByText('Ada Lovelace gives you an account').waitFor();
    expect(await violationsOf(guest.page)).toEqual([]);
    await look(guest.page, 'invitation');
    await guest.page.getByLabel('Your name').fill(name);
    await guest.page.getByLabel('Password').fill(password);
    await guest.page.getByRole('button', { name: 'Create the account' }).click();
    await guest.page.getByRole('link', { name: 'Users' }).waitFor();
    expect(guest.page.url()).not.toContain('invite_');

    await page.getByRole('button', { name: 'Refresh' }).click();
    const row = page.getByRole('row', { name }).filter({ hasText: 'Active' });
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Delete the account' }).click();
    await page.getByText('stored, with its name').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await look(page, 'delete');
    await page.getByRole('button', { name: 'Delete the account' }).click();
    await row.waitFor({ state: 'detached' });
    await guest.page.reload();
    await guest.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: `${name} accepted the invitation` }).waitFor();

    expect(problems).toEqual([]);
    expect(guest.problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  },
);

testInBrowser('a colleague is invited and leaves by the keyboard (spec 12.20, spec 12.23)', async () => {
  const name = unique('Joan');
  const { page, problems } = await openAsOwner('/users');

  await page.getByRole('button', { name: 'Invite' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(`${name}@example.com`);
  await page.keyboard.press('Enter');
  const link = await linkIn(page);
  await page.getByRole('button', { name: 'Copy and close' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy and close' }).waitFor({ state: 'detached' });

  const guest = await open();
  await guest.page.goto(link);
  await guest.page.getByLabel('Your name').waitFor();
  await guest.page.keyboard.type(name);
  await guest.page.keyboard.press('Tab');
  await guest.page.keyboard.type(password);
  await guest.page.keyboard.press('Enter');
  await guest.page.getByRole('link', { name: 'Account' }).focus();
  await guest.page.keyboard.press('Enter');
  await guest.page.getByRole('button', { name: 'Leave and delete the account' }).focus();
  await look(guest.page, 'me');
  await guest.page.keyboard.press('Enter');
  await guest.page.getByText('stored, with your name').waitFor();
  expect(await violationsOf(guest.page)).toEqual([]);
  await look(guest.page, 'leave');
  await guest.page.getByRole('button', { name: 'Delete my account' }).focus();
  await guest.page.keyboard.press('Enter');
  await guest.page.waitForURL('**/console/login*');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('row', { name: `${name} left` }).waitFor();

  expect([...problems, ...guest.problems]).toEqual([]);
});

testInBrowser(
  'a renewed invitation has another link, and a withdrawn one says that it does not work (spec 12.20, spec 12.21)',
  async () => {
    const email = `${unique('Alan')}@example.com`;
    const { page, problems } = await openAsOwner('/users');
    const row = page.getByRole('row', { name: email });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Make the link' }).click();
    const first = await linkIn(page);
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await row.getByRole('button', { name: 'Renew' }).click();
    const second = await linkIn(page);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const guest = await open();
    await guest.page.goto(first);
    await guest.page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Withdraw it' }).click();
    await row.waitFor({ state: 'detached' });
    await guest.page.goto('about:blank');
    await guest.page.goto(second);
    await guest.page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    expect(await violationsOf(guest.page)).toEqual([]);
    await look(guest.page, 'refused');

    expect(second).not.toBe(first);
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'an owner views the console as a team, in one tab, and leaves the view (spec 19.17, spec 19.18, spec 19.19)',
  async () => {
    const team = await given.team({ credits: 5 });
    const job = expectOk(await as(gateway, team).single()).job_id;
    const { page, problems } = await openAsOwner(`/teams/${team.teamId}`);

    await page.getByRole('button', { name: 'View as this team' }).click();
    const bar = page.getByRole('region', { name: 'View of a team' });
    await bar.getByText('Ada Lovelace, you see the console as the team').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await look(page, 'view');
    expect(await page.getByRole('link', { name: 'Teams' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('link', { name: job.slice(0, 8) }).click();
    await page.waitForURL(`**/console/as/${team.teamId}/jobs/${job}*`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await look(page, 'view-receipt');
    await page.reload();
    await bar.waitFor();

    const tab = await page.context().newPage();
    await tab.goto(new URL('/console/teams', page.url()).href);
    await tab.getByRole('link', { name: 'Teams' }).waitFor();
    await bar.getByRole('button', { name: 'Leave the view' }).click();
    await page.waitForURL(`**/console/teams/${team.teamId}*`);
    await page.getByRole('button', { name: 'View as this team' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: `View of the team ${team.teamId}` }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await look(page, 'view-gate');
    await page.getByRole('button', { name: 'View as this team' }).click();
    await bar.waitFor();

    // The page that went back to a view that has ended.
    const isOfGate = (problem: string) => problem.includes('403') || problem.includes('is not viewed in this session');
    expect(problems.filter((problem) => !isOfGate(problem))).toEqual([]);
  },
);

testInBrowser(
  'the view of a team of any id is its own, and ends with the session (spec 19.17, spec 19.19)',
  async () => {
    const team = await given.team({ teamId: unique('Größe 50%/x') });
    const { page } = await openAsOwner(`/teams/${encodeURIComponent(team.teamId)}`);

    await page.getByRole('button', { name: 'View as this team' }).click();
    await page.getByRole('region', { name: 'View of a team' }).getByText(team.teamId).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    await page.reload();
    await page.getByRole('region', { name: 'View of a team' }).getByText(team.teamId).waitFor();

    expect(page.url()).toContain('/console/as/');
  },
);
