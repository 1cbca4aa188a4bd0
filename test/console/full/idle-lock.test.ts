import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

/** Longer than the interval at which a page polls, so that its polls would keep the session. */
const idleSeconds = 12;
const { gateway, given, owner, openAsOwner, openAsTeam } = consoleForTests({
  settings: { CONSOLE_IDLE_TIMEOUT: `${idleSeconds}s` },
  worker: true,
});

testInBrowser(
  'a page that nobody uses is locked although it sends requests by itself, before the service ends the session (spec 20.11)',
  async () => {
    const { page } = await openAsOwner('/live');
    const refused: string[] = [];
    let polls = 0;
    page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    page.on('request', (request) => {
      if (request.url().endsWith('/api/live')) polls += 1;
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const begunAt = Date.now();

    const dialog = page.getByRole('dialog', { name: 'Locked' });
    await dialog.waitFor({ timeout: 30_000 });
    const lockedAfter = Date.now() - begunAt;
    const pollsBefore = polls;

    expect(lockedAfter).toBeLessThanOrEqual(idleSeconds * 1_000);
    expect(polls).toBeGreaterThan(1);
    expect(refused).toEqual([]);
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(owner.email);
    await page.waitForFunction(`document.activeElement?.name === 'password'`);
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForRequest('**/api/live');
    expect(polls).toBeGreaterThan(pollsBefore);
    await page.context().close();
  },
  90_000,
);

testInBrowser(
  'a form that is filled in for longer than the idle time keeps the session, and one that is left is locked with its text',
  async () => {
    const team = await given.team();
    const job = await given.job(team);
    const { page } = await openAsTeam(team.key, `/jobs/${job}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const reason = page.getByLabel('Reason');
    const locked = page.getByRole('dialog', { name: 'Locked' });

    const text = 'a reason that is typed slowly';
    await reason.pressSequentially(text, { delay: ((idleSeconds + 3) * 1_000) / text.length });
    const lockedWhileTyping = await locked.isVisible();
    await locked.waitFor({ timeout: 30_000 });
    const [filter, isAbove] = await page.evaluate<[string, boolean]>(`(() => {
      const styleOf = (element) => getComputedStyle(element);
      const cover = styleOf(document.elementFromPoint(3, 3));
      const form = [...document.querySelectorAll('[role=dialog]')].find((one) => one.textContent.includes('Cancel the job'));
      return [cover.backdropFilter, Number(cover.zIndex) > Number(styleOf(form).zIndex)];
    })()`);
    await locked.getByLabel('Virtual key').fill(team.key);
    await locked.getByRole('button', { name: 'Sign in' }).click();
    await locked.waitFor({ state: 'detached' });

    expect(lockedWhileTyping).toBe(false);
    expect(filter).toMatch(/^blur/);
    expect(isAbove).toBe(true);
    expect(await reason.inputValue()).toBe(text);
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('The job is cancelled').waitFor();
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('cancelled');
    await page.context().close();
  },
  120_000,
);

testInBrowser(
  'use in one tab keeps the others unlocked, all are locked together, and a sign-in in one unlocks them (spec 20.11)',
  async () => {
    const { page } = await openAsOwner('/me');
    const other = await page.context().newPage();
    await other.goto('/console/system');
    await other.getByRole('heading', { level: 1 }).waitFor();
    const locked = [page, other].map((tab) => tab.getByRole('dialog', { name: 'Locked' }));
    const endOfUse = Date.now() + (idleSeconds + 3) * 1_000;

    while (Date.now() < endOfUse) {
      await page.bringToFront();
      await page.mouse.move(400 + (Date.now() % 100), 300);
      await page.waitForFunction((until) => Date.now() > until, Date.now() + 400);
    }
    const lockedInUse = await Promise.all(locked.map((dialog) => dialog.isVisible()));
    await Promise.all(locked.map((dialog) => dialog.waitFor({ timeout: 30_000 })));
    await locked[0]!.getByLabel('Password').fill(owner.password);
    await locked[0]!.getByRole('button', { name: 'Sign in' }).click();
    await Promise.all(locked.map((dialog) => dialog.waitFor({ state: 'detached' })));

    expect(lockedInUse).toEqual([false, false]);
    await page.context().close();
  },
  120_000,
);
