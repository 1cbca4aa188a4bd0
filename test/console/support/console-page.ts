import type { Browser, Page } from 'playwright-core';

export interface ConsolePage {
  page: Page;
  /** What must not happen in a console: errors, reports of the policy, requests to other hosts. */
  problems: string[];
}

export interface PageOptions {
  width?: number;
  theme?: 'light' | 'dark';
}

/** A new browser profile with one page. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1_440, theme = 'light' }: PageOptions = {},
): Promise<ConsolePage> {
  const viewport = { width, height: width < 720 ? 760 : 900 };
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`requested ${request.url()}`);
  });
  return { page, problems };
}

export async function signInAsAdmin(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto('/console/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

export async function signInAsTeam(page: Page, key: string, publicPath = ''): Promise<void> {
  await page.goto(`${publicPath}/console/login?as=team`);
  await page.getByLabel('Virtual key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
