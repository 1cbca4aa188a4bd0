import type { Browser } from 'playwright-core';
import { type GatewayOptions, gatewayForTests } from '../../support/gateway.ts';
import { givenIn, unique } from '../../support/given.ts';
import { runProgram } from '../../support/run-program.ts';
import { launchChromium } from './chromium.ts';
import { openPage, type PageOptions, signInAsAdmin, signInAsTeam } from './console-page.ts';

/** A gateway with its console, an owner, and a browser that starts with the first page. */
export function consoleForTests(options?: GatewayOptions) {
  // Before the gateway, which reads the build when it starts.
  beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);
  const gateway = gatewayForTests(options);
  const given = givenIn(gateway);
  const owner = { email: `${unique('owner')}@example.com`, password: 'a pass phrase for tests' };
  let browser: Browser | undefined;
  beforeAll(() => given.admin('post', '/api/admin-users/setup', { ...owner, display_name: 'Ada Lovelace' }));
  afterAll(() => browser?.close());

  const open = async (look?: PageOptions) => {
    browser ??= await launchChromium();
    return openPage(browser, gateway.current.url, look);
  };
  const openAsAdmin = async (account: typeof owner, path: string, look?: PageOptions) => {
    const { page, problems } = await open(look);
    await signInAsAdmin(page, account);
    problems.length = 0;
    await page.goto(`/console${path}`);
    return { page, problems };
  };
  const openAsOwner = (path: string) => openAsAdmin(owner, path);
  const openAsTeam = async (key: string, path: string) => {
    const { page, problems } = await open();
    await signInAsTeam(page, key);
    problems.length = 0;
    await page.goto(`/console${path}`);
    return { page, problems };
  };
  return { gateway, given, owner, open, openAsAdmin, openAsOwner, openAsTeam };
}
