import { readFileSync } from 'node:fs';
import { parseCsv } from '../../http/csv/parse-csv.ts';
import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

/** `25 Nov 14:03:21` */
const wallClock = /(\d{2}:\d{2}:\d{2})$/;

testInBrowser(
  'a list in a chosen zone and its CSV file show the same moments, with the offset of the zone',
  async () => {
    const team = await given.team();
    for (let count = 0; count < 3; count += 1) expectOk(await as(gateway, team).single());
    const { page } = await openAsOwner('/me');
    await page.evaluate(`localStorage.setItem('console.preferences', JSON.stringify({ zone: 'Asia/Kathmandu' }))`);
    await page.goto(`/console/ledger?team=${team.teamId}`);
    const times = page.getByRole('table', { name: 'Ledger' }).locator('tbody time');
    await times.first().waitFor();

    const shown = (await page.evaluate(
      `[...document.querySelectorAll('table[aria-label="Ledger"] tbody time')].map((one) => [one.dateTime, one.textContent])`,
    )) as [string, string][];
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const [names = [], ...rows] = parseCsv(readFileSync(await (await downloading).path(), 'utf8'));
    const exported = rows.map((row) => row[names.indexOf('created_at')]!);

    expect(exported).toHaveLength(4);
    expect(exported.map((at) => new Date(at).toISOString())).toEqual(shown.map(([at]) => new Date(at).toISOString()));
    for (const [index, at] of exported.entries()) {
      expect(at).toMatch(/\+05:45$/);
      expect(at.slice(11, 19)).toBe(wallClock.exec(shown[index]![1])?.[1]);
    }
  },
);

testInBrowser('figures that are counted in UTC days are labelled so in every zone', async () => {
  const { page } = await openAsOwner('/me');
  await page.evaluate(`localStorage.setItem('console.preferences', JSON.stringify({ zone: 'Asia/Kathmandu' }))`);

  for (const path of ['/', '/margins', '/usage', '/usage?metric=jobs&by=outcome']) {
    await page.goto(`/console${path}`);
    await page
      .getByRole('main')
      .getByText(/\bUTC\b/)
      .first()
      .waitFor();
  }
});
