import type { Page } from 'playwright-core';
import { as, expectOk, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

const rows = 350;
const pageSize = 100;

const execute = (text: string, values: unknown[]) => gateway.current.deps.database.pool.query(text, values);

/** Organizations whose name begins with the prefix: `n` is their position in the list. */
async function givenOrganizations(): Promise<string> {
  const prefix = unique('many');
  await execute(
    `insert into organizations (organization_id, name)
     select $1 || '_' || lpad(n::text, 4, '0'), 'Many' from generate_series(1, $2::int) n`,
    [prefix, rows],
  );
  return prefix;
}

/** The positions in the list that are requested from now on: empty for the first page. */
function positionsOf(page: Page, path: string): string[] {
  const positions: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === path) positions.push(searchParams.get('cursor') ?? '');
  });
  return positions;
}

const scrollDown = (page: Page, label: string) =>
  page.evaluate(`(() => {
    const scroller = document.querySelector('table[aria-label="${label}"]').parentElement;
    scroller.scrollTop = scroller.scrollHeight;
  })()`);

const scrolledTo = (page: Page, label: string) =>
  page.evaluate(`document.querySelector('table[aria-label="${label}"]').parentElement.scrollTop`);

testInBrowser(
  'a long list that is read again requests its first page only, and is shown from its beginning (spec 20.7)',
  async () => {
    const prefix = await givenOrganizations();
    const { page, problems } = await openAsOwner('/me');
    const positions = positionsOf(page, '/api/organizations');
    await page.goto(`/console/organizations?q=${prefix}`);
    await page.locator('tr[data-row]').first().waitFor();
    await until(async () => {
      await scrollDown(page, 'Organizations');
      return positions.length === Math.ceil(rows / pageSize);
    });
    await page.waitForLoadState('networkidle');

    positions.length = 0;
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await until(
      () => scrolledTo(page, 'Organizations'),
      (top) => top === 0,
    );
    await page.waitForLoadState('networkidle');

    expect(positions).toEqual(['']);
    expect(await page.locator('tr[data-row]').count()).toBeGreaterThan(10);
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'a further page that could not be read is requested alone by Retry, and not by a focus of the window',
  async () => {
    const prefix = await givenOrganizations();
    const { page } = await openAsOwner('/me');
    const positions = positionsOf(page, '/api/organizations');
    const isFurther = (url: URL) => url.pathname === '/api/organizations' && url.searchParams.get('cursor') !== '';
    await page.route(isFurther, (route) => route.fulfill({ status: 400, json: { detail: 'not now' } }));
    await page.goto(`/console/organizations?q=${prefix}`);
    await page.locator('tr[data-row]').first().waitFor();
    await scrollDown(page, 'Organizations');
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    await page.unroute(isFurther);

    const failed = positions.length;
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });

    expect(positions.slice(failed)).not.toContain('');
    expect(positions.length).toBeGreaterThan(failed);
  },
);

testInBrowser('a table within a page shows its first page, and further rows when a person wants them', async () => {
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: 'https://example.com/hooks', events: ['job.failed'] };
  const webhookId = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook)).webhook_id;
  await execute(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body, status, created_at, finished_at)
     select gen_random_uuid(), $1, 'job.failed', '{}', 'delivered', now() - n * interval '1 second', now()
       from generate_series(1, $2::int) n`,
    [webhookId, rows],
  );
  const { page, problems } = await openAsOwner('/me');
  const positions = positionsOf(page, '/api/deliveries');
  await page.goto(`/console/webhooks/${webhookId}`);
  await page.locator('tr[data-row]').first().waitFor();
  await page.waitForLoadState('networkidle');

  const atFirst = await page.locator('tr[data-row]').count();
  await page.getByRole('button', { name: 'Show more' }).click();
  await until(
    () => page.locator('tr[data-row]').count(),
    (count) => count === 2 * pageSize,
  );

  expect(atFirst).toBe(pageSize);
  expect(positions).toHaveLength(2);
  expect(problems).toEqual([]);
});

testInBrowserFor(
  [
    { path: '/jobs', field: 'User', name: 'user' },
    { path: '/teams', field: 'Organization', name: 'organization' },
  ],
  'a filter of $path is undone by the back button of the browser, and what was typed in the search box in one step',
  async ({ path, field, name }) => {
    const { page } = await openAsOwner(path);
    const parameter = (of: string) => new URL(page.url()).searchParams.get(of);
    const addFilter = async () => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a filter' });
      await dialog.getByLabel('Field').selectOption(field);
      await dialog.getByLabel('Value').fill('one');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await page.waitForURL(`**${path}?*${name}=one*`);
    };
    const box = page.getByRole('searchbox');

    await addFilter();
    await box.pressSequentially('ab');
    await page.waitForURL('**?*q=ab*');
    await box.pressSequentially('cd');
    await page.waitForURL('**?*q=abcd*');
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('q'));
    const afterOne = [await box.inputValue(), parameter(name)];
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has(name));

    expect(afterOne).toEqual(['', 'one']);
    expect(new URL(page.url()).pathname).toBe(`/console${path}`);
    await page.context().close();
  },
);
