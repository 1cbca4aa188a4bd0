import type { Page } from 'playwright-core';
import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { consolePages, givenShown, visit } from './pages.ts';

const { gateway, given, owner, openAsOwner, openAsTeam } = consoleForTests();

/** More than any page of these tests has. */
const maxStops = 250;

interface Stop {
  name: string;
  /** The same for the same element, as long as the page stays. */
  index: number;
  isVisible: boolean;
}

/** What has the focus: its name, and whether it is drawn with a focus and lies in the window. */
const readStop = (page: Page): Promise<Stop> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    window.__stops ??= [];
    if (!window.__stops.includes(element)) window.__stops.push(element);
    const styles = [element, element.parentElement, ...element.querySelectorAll('*')].filter(Boolean).map((one) => getComputedStyle(one));
    const isDrawn = styles.some(({ outlineStyle, outlineWidth, boxShadow }) =>
      (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none');
    const { top, bottom, left, right, width } = element.getBoundingClientRect();
    const isInWindow = width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return {
      name: (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim().slice(0, 60),
      index: element === document.body ? -1 : window.__stops.indexOf(element),
      isVisible: isDrawn && isInWindow,
    };
  })()`);

/** Every stop of the Tab key, from the beginning of the document until it comes back there. Throws where it never does. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  // A page may begin at one of its fields.
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Shift+Tab');
  for (let count = 0; count < maxStops; count += 1) {
    await page.keyboard.press('Tab');
    const stop = await readStop(page);
    if (stop.index === -1 || (stops.length > 0 && stop.index === stops[0]!.index)) return stops;
    if (stop.index === stops.at(-1)?.index) throw new Error(`the focus stays on "${stop.name}"`);
    stops.push(stop);
  }
  throw new Error(`the focus does not come back from "${stops.at(-1)?.name}"`);
}

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let count = 0; count < maxStops; count += 1) {
    await page.keyboard.press(key);
    if ((await readStop(page)).name === name) return;
  }
  throw new Error(`no stop of the Tab key is called "${name}"`);
}

testInBrowser(
  'the Tab key goes through each page and comes back, and the focus can be seen at each stop',
  async () => {
    const { team, shown } = await givenShown(gateway);
    const paths = consolePages(shown);
    const signedIn = [
      { page: (await openAsOwner('/me')).page, paths: paths.admin },
      { page: (await openAsTeam(team.key, '/me')).page, paths: paths.team },
    ];
    const unseen: string[] = [];

    for (const { page, paths } of signedIn)
      for (const path of paths) {
        await visit(page, path);
        const stops = await walk(page);
        expect(stops.length).toBeGreaterThan(8);
        unseen.push(...stops.filter(({ isVisible }) => !isVisible).map(({ name }) => `${path}: ${name}`));
      }

    expect(unseen).toEqual([]);
  },
  300_000,
);

testInBrowser('an admin signs in, finds a job by its id and cancels it with the keyboard alone', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { page, problems } = await openAsOwner('/me');
  await page.evaluate('localStorage.clear()');
  await page.context().clearCookies();
  await page.goto('/console/login');
  problems.length = 0;

  await page.getByLabel('E-mail').waitFor();
  await tabTo(page, 'E-mail');
  await page.keyboard.type(owner.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(job);
  await page.getByRole('option').getByText(job.slice(0, 8)).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/jobs/${job}*`);
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await tabTo(page, 'Cancel');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Cancel the job');
  await page.keyboard.press('Enter');
  await page.getByText('The job is cancelled').waitFor();

  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('cancelled');
  expect(problems).toEqual([]);
});

testInBrowser('rows of the list of jobs are reached, peeked at, selected and opened by keys (spec 20.12)', async () => {
  const team = await given.team();
  const [older, newer] = [await given.job(team), await given.job(team)];
  const { page, problems } = await openAsOwner(`/jobs?team=${team.teamId}`);
  await page.locator(`tr[data-row="${older}"]`).waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.waitForURL(`**/jobs?*open=${older}*`);
  await page.getByRole('complementary', { name: 'Job' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Job' }).waitFor({ state: 'detached' });
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Cancel 1' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/jobs/${newer}*`);

  expect(problems).toEqual([]);
});

/** Where the focus is: the row, or the name of the element. */
const focusOf = async (page: Page): Promise<string> =>
  (await page.evaluate("document.activeElement.dataset.row ?? ''")) || (await readStop(page)).name;

testInBrowser(
  'on the list of jobs the focus returns to what opened a dialog, and to a row where that is gone (spec 20.12)',
  async () => {
    const team = await given.team();
    const [older, newer] = [await given.job(team), await given.job(team)];
    const { page, problems } = await openAsOwner(`/jobs?team=${team.teamId}`);
    await page.locator(`tr[data-row="${older}"]`).waitFor();
    const dialog = page.getByRole('dialog');
    const returned: Record<string, string> = {};

    for (const name of ['Views', 'Filter', 'Export as CSV', 'Columns']) {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      returned[name] = await focusOf(page);
    }
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await tabTo(page, 'Cancel 1', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(page, 'Cancel 1 job');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const afterCancel = await focusOf(page);

    for (const [opener, focus] of Object.entries(returned)) expect(focus).toBe(opener);
    expect(afterCancel).toBe(newer);
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${newer}`)).status).toBe('cancelled');
    expect(problems).toEqual([]);
  },
);

testInBrowser('a chip, the panel of a row and a view that are closed by keys leave the focus beside them', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { page, problems } = await openAsOwner(`/jobs?team=${team.teamId}&range=30d&status=pending`);
  await page.locator(`tr[data-row="${job}"]`).waitFor();
  const focuses: string[] = [];
  const note = async () => focuses.push(await focusOf(page));

  await page.getByRole('button', { name: 'Status Pending' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Status Pending' }).waitFor({ state: 'detached' });
  await note();
  await page.locator(`tr[data-row="${job}"]`).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const panel = page.getByRole('complementary', { name: 'Job' });
  await panel.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  await note();
  await page.getByRole('button', { name: 'Views' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name for what is shown now').fill('Mine');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Rename Mine' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('New name').fill('Ours');
  await page.keyboard.press('Enter');
  await page.getByLabel('New name').waitFor({ state: 'detached' });
  await note();
  await page.getByRole('button', { name: 'Delete Ours' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Restore' }).waitFor();
  await note();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Restore' }).waitFor({ state: 'detached' });
  await note();

  expect(focuses).toEqual([`Team ${team.teamId}remove`, job, 'Rename Ours', 'Restore', 'Rename Ours']);
  expect(problems).toEqual([]);
});

testInBrowser(
  'an item of a receipt is opened and closed by keys, and after a cancellation the focus is where it was',
  async () => {
    const team = await given.team();
    const job = expectOk(await as(gateway, team).single()).job_id as string;
    const open = await given.job(team);
    const { page, problems } = await openAsOwner(`/jobs/${job}`);
    const item = page.getByRole('region', { name: 'Selected item' });
    const focusedItem = () => page.evaluate('document.activeElement.dataset.item ?? document.activeElement.tagName');
    await page.locator('button[data-item]').first().waitFor();

    await page.locator('button[data-item]').first().focus();
    const first = await focusedItem();
    await page.keyboard.press('Enter');
    await item.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
    const afterClose = await focusedItem();
    await page.goto(`/console/jobs/${open}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Cancel the job');
    await page.keyboard.press('Enter');
    await page.locator('button[aria-disabled="true"]', { hasText: 'Cancel' }).waitFor();

    expect(afterClose).toBe(first);
    expect(await focusOf(page)).toBe('Cancel');
    expect(problems).toEqual([]);
  },
);
