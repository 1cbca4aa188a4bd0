import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn, unique } from '../../support/given.ts';
import { runProgram } from '../../support/run-program.ts';
import { launchChromium, testInBrowserFor } from '../support/chromium.ts';
import { openPage, signInAsAdmin, signInAsTeam } from '../support/console-page.ts';
import { consolePages, givenShown, type Shown, visit } from './pages.ts';

beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);
const gateway = gatewayForTests();
const given = givenIn(gateway);
const owner = { email: `${unique('owner')}@example.com`, password: 'a pass phrase for tests' };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let key: string;
let shown: Shown;
beforeAll(async () => {
  await given.admin('post', '/api/admin-users/setup', { ...owner, display_name: 'Owner' });
  const made = await givenShown(gateway);
  key = made.team.key;
  shown = made.shown;
  await given.job(made.team);
});
afterAll(() => browser?.close());

const looks = (['light', 'dark'] as const).flatMap((theme) => [360, 768, 1_440].map((width) => ({ theme, width })));
const who = ['nobody', 'admin', 'team'] as const;

/** What axe finds on the page as it is. It is given to the page by the debugger, which no policy applies to. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
  )) as string[];
  return found;
}

testInBrowserFor(
  looks.flatMap((look) => who.map((one) => ({ ...look, who: one }))),
  'the pages of $who have no violation of accessibility and no error, $theme at $width px',
  async ({ theme, width, who }) => {
    browser ??= await launchChromium();
    const { page, problems } = await openPage(browser, gateway.current.url, { theme, width });
    if (who === 'admin') await signInAsAdmin(page, owner);
    if (who === 'team') await signInAsTeam(page, key);
    const found: string[] = [];
    for (const path of consolePages(shown)[who]) {
      await visit(page, path);
      found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${who}${path.replaceAll('/', '_')}-${theme}-${width}.png` });
    }

    expect(found).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await page.context().close();
  },
  300_000,
);
