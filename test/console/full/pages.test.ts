import type { Browser, Page } from 'playwright-core';
import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn, unique } from '../../support/given.ts';
import { runProgram } from '../../support/run-program.ts';
import { violationsOf } from '../support/axe.ts';
import { launchChromium, testInBrowserFor } from '../support/chromium.ts';
import { openPage, signInAsAdmin, signInAsTeam } from '../support/console-page.ts';
import { consolePages, givenShown, type Shown, visit } from './pages.ts';

beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);
const gateway = gatewayForTests();
const given = givenIn(gateway);
const owner = { email: `${unique('owner')}@example.com`, password: 'a pass phrase for tests' };

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

/** What a scroll bar would move by so little overflows by mistake. */
const littlePx = 3;

/** What scrolls by a few pixels, in either direction, and a window that scrolls sideways. */
const slightlyOverflowing = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll' || element === document.documentElement;
    const x = element.scrollWidth - element.clientWidth;
    const y = element.scrollHeight - element.clientHeight;
    const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.className);
    const isWide = scrolls(overflowX) && x > 0 && (x <= ${littlePx} || element === document.documentElement);
    const isHigh = scrolls(overflowY) && y > 0 && y <= ${littlePx};
    return [...(isWide ? [name + ' by ' + x + ' px sideways'] : []), ...(isHigh ? [name + ' by ' + y + ' px'] : [])];
  })`);

const looks = (['light', 'dark'] as const).flatMap((theme) =>
  [360, 390, 768, 1_440].map((width) => ({ theme, width })),
);
const who = ['nobody', 'admin', 'team'] as const;

testInBrowserFor(
  looks.flatMap((look) => who.map((one) => ({ ...look, who: one }))),
  'the pages of $who have no violation of accessibility, no error and no scroll bar by a pixel, $theme at $width px',
  async ({ theme, width, who }) => {
    browser ??= await launchChromium();
    const { page, problems } = await openPage(browser, gateway.current.url, { theme, width });
    if (who === 'admin') await signInAsAdmin(page, owner);
    if (who === 'team') await signInAsTeam(page, key);
    const found: string[] = [];
    const overflowing: string[] = [];
    for (const path of consolePages(shown)[who]) {
      await visit(page, path);
      found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
      overflowing.push(...(await slightlyOverflowing(page)).map((element) => `${path}: ${element}`));
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${who}${path.replaceAll('/', '_')}-${theme}-${width}.png` });
    }

    expect(found).toEqual([]);
    expect(overflowing).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await page.context().close();
  },
  300_000,
);
