import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

testInBrowser(
  'each filter of the list of jobs is a chip and part of the URL, and is dropped by itself (spec 20.6)',
  async () => {
    const team = await given.team();
    const wanted = await given.job(team, { metadata: { place: 'a=b' }, user_id: 'u1' });
    const other = await given.job(team, { metadata: { place: 'c' }, user_id: 'u1' });
    const { page, problems } = await openAsTeam(team.key, '/jobs');
    const row = (id: string) => page.locator(`tr[data-row="${id}"]`);
    const add = async (field: string, value: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a filter' });
      await dialog.getByLabel('Field').selectOption(field);
      await dialog.getByLabel('Value').fill(value);
      await dialog.getByRole('button', { name: 'Add' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await row(other).waitFor();

    await add('Metadata', 'place=a=b');
    await add('User', 'u1');
    await page.getByRole('button', { name: 'Pending', exact: true }).click();
    await row(other).waitFor({ state: 'detached' });
    await row(wanted).waitFor();
    const chips = page.getByRole('list', { name: 'Active filters' });
    const shown = await chips.getByRole('button').allTextContents();
    await page.reload();
    await row(wanted).waitFor();
    await chips.getByRole('button', { name: 'Metadata' }).click();
    await row(other).waitFor();

    expect(shown.map((text) => text.replace(/remove$/, '').trim())).toEqual([
      'Status Pending',
      'User u1',
      'Metadata place=a=b',
      'Remove all',
    ]);
    expect(new URL(page.url()).searchParams.get('user')).toBe('u1');
    expect(new URL(page.url()).searchParams.has('metadata')).toBe(false);
    expect(problems).toEqual([]);
  },
);

testInBrowser('the export of the list shows the number of its rows before it is downloaded', async () => {
  const team = await given.team();
  for (let n = 0; n < 3; n++) await given.job(team, { job_type: 'wanted' });
  await given.job(team);
  const { page } = await openAsTeam(team.key, '/jobs?type=wanted&order=oldest');

  await page.getByRole('button', { name: 'Export as CSV' }).click();
  await page.getByText('The file has 3 rows').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);

  const { searchParams } = new URL(download.url());
  expect([searchParams.get('job_type'), searchParams.get('order'), searchParams.get('format')]).toEqual([
    'wanted',
    'asc',
    'csv',
  ]);
});

testInBrowser(
  'a view is saved under a name, opened, renamed, deleted and restored, also in another tab (spec 20.6)',
  async () => {
    const team = await given.team();
    const job = await given.job(team, { job_type: 'wanted' });
    const other = await given.job(team);
    const { page, problems } = await openAsTeam(team.key, '/jobs?type=wanted&range=30d');
    const tab = await page.context().newPage();
    await tab.goto('/console/jobs?range=24h');
    await tab.locator(`tr[data-row="${other}"]`).waitFor();

    await page.getByRole('button', { name: 'Views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Views' });
    await dialog.getByLabel('Name for what is shown now').fill('My reports');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Rename My reports' }).click();
    await dialog.getByLabel('New name').fill('Reports');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'View: Reports' }).waitFor();
    await tab.getByRole('button', { name: 'Views' }).click();
    await tab.getByRole('link', { name: 'Reports' }).click();
    await tab.locator(`tr[data-row="${other}"]`).waitFor({ state: 'detached' });
    await tab.locator(`tr[data-row="${job}"]`).waitFor();

    expect([...new URL(tab.url()).searchParams]).toEqual(
      expect.arrayContaining([
        ['type', 'wanted'],
        ['range', '30d'],
      ]),
    );
    await tab.getByRole('button', { name: 'View: Reports' }).click();
    await tab.getByRole('button', { name: 'Delete Reports' }).click();
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
    await tab.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'View: Reports' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(team.key);
    expect(problems).toEqual([]);
  },
);

testInBrowser('the view of what runs longest has open jobs only, the oldest first', async () => {
  const team = await given.team();
  const oldest = await given.job(team);
  await as(gateway, team).single();
  const newest = await given.job(team);
  const { page } = await openAsOwner(`/jobs?team=${team.teamId}`);

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'Running longest' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator(`tr[data-row="${oldest}"]`).waitFor();

  const rows = await page.locator('tr[data-row]').all();
  const shown = await Promise.all(rows.map((row) => row.getAttribute('data-row')));
  expect(new URL(page.url()).searchParams.get('order')).toBe('oldest');
  expect(shown.indexOf(oldest)).toBeLessThan(shown.indexOf(newest));
  expect(await page.locator('tr[data-row]').getByText('Completed').count()).toBe(0);
});

testInBrowser('of the selected jobs the open ones are cancelled, after the dialog has shown how many', async () => {
  const team = await given.team();
  const [first, second] = [await given.job(team), await given.job(team)];
  const ended = expectOk(await as(gateway, team).single()).job_id as string;
  const { page, problems } = await openAsTeam(team.key, '/jobs');
  for (const id of [first, second, ended]) await page.getByLabel(`Select ${id}`).check();

  await page.getByRole('button', { name: 'Cancel 2 of 3' }).click();
  await page.getByRole('button', { name: 'Cancel 2 jobs' }).click();
  await page.getByText('Cancelled 2 jobs').waitFor();

  for (const id of [first, second])
    await page.locator(`tr[data-row="${id}"]`).getByText('Cancelled', { exact: true }).waitFor();
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${ended}`)).status).toBe('completed');
  expect(problems).toEqual([]);
});

testInBrowser('a drag over the histogram becomes the time range of the list', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { page } = await openAsTeam(team.key, '/jobs?range=7d');
  await page.locator(`tr[data-row="${job}"]`).waitFor();
  const chart = page.getByRole('application', { name: 'Jobs by outcome' });
  const { x, y, width, height } = (await chart.boundingBox())!;

  await page.mouse.move(x + width * 0.2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=/);

  const { searchParams } = new URL(page.url());
  const length = Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!);
  expect(length).toBeGreaterThan(86_400_000);
  expect(length).toBeLessThan(5 * 86_400_000);
  await page.locator(`tr[data-row="${job}"]`).waitFor({ state: 'detached' });
});

testInBrowser('the hour that has not ended is marked "so far" in the histogram of the list of jobs', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { page } = await openAsOwner(`/jobs?team=${team.teamId}&range=24h`);
  await page.locator(`tr[data-row="${job}"]`).waitFor();
  const bars = page.getByRole('application', { name: /^Jobs by outcome/ });
  const { width, height } = (await bars.boundingBox())!;
  const textAt = async (x: number) => {
    await bars.hover({ position: { x, y: height / 2 } });
    return page.locator('figcaption').textContent();
  };

  const last = await textAt(width - 3);
  const before = await textAt(width / 2);

  expect(last).toMatch(/1 open so far$/);
  expect(before).toMatch(/0 open$/);
  await page.context().close();
});

testInBrowser(
  'a list of jobs is ordered by the end of the jobs, and the receipt of one leads back to that list',
  async () => {
    const team = await given.team({ credits: 5 });
    const [first, second] = [await given.job(team), await given.job(team)];
    expectOk(await as(gateway, team).complete(second));
    expectOk(await as(gateway, team).complete(first));
    const { page, problems } = await openAsTeam(team.key, '/jobs');

    await page.getByLabel('Order').selectOption('ended');
    await page.waitForURL('**/jobs?*order=ended*');
    await until(
      () => page.locator('tr[data-row]').first().getAttribute('data-row'),
      (id) => id === first,
    );
    await page.getByRole('link', { name: first.slice(0, 8) }).click();

    await page.getByText('last ended first').first().waitFor();
    expect(problems).toEqual([]);
  },
);
