import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signInAsAdmin } from '../../test/console/support/console-page.ts';
import { median, quantile } from '../drive/statistics.ts';
import type { ConsoleStage } from './console-stage.ts';
import { receipts } from './fill-installation.ts';

/** Of cold loads of a page, in milliseconds from the navigation on. */
export interface LoadTimes {
  /** Largest contentful paint. */
  lcp: number;
  slowestLcp: number;
  /** When the content that the page is opened for was there. */
  content: number;
  apiRequests: number;
  /** Elements in the timeline of a receipt. */
  timelineNodes?: number;
}

type Stored = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Case {
  path: string;
  /** A CSS selector of the content. */
  content: string;
  isSignedOut?: true;
  hasTimeline?: true;
}

const receipt = (jobId: string): Case => ({
  path: `/jobs/${jobId}`,
  content: 'section[aria-label="Timeline"] li button',
  hasTimeline: true,
});

const loadedPages: Record<string, Case> = {
  login: { path: '/login', content: 'form input[type="password"]', isSignedOut: true },
  overview: { path: '/', content: 'main dl dd a' },
  'list of jobs': { path: '/jobs', content: 'main tr[data-row]' },
  receipt: receipt(receipts.usual.jobId),
  'receipt of 5,000 calls': receipt(receipts.long.jobId),
};

/** The api keeps figures for two seconds: each load is the first one that asks for them. */
const forgottenMs = 2_100;
/** Longer than any goal: what is painted later counts, too. */
const watchedMs = 1_000;

/** Runs in the page before its scripts. */
const observe = (content: string): string => `
  window.__paints = []; window.__content = null;
  new PerformanceObserver((list) => window.__paints.push(...list.getEntries().map((entry) => entry.startTime)))
    .observe({ type: 'largest-contentful-paint', buffered: true });
  const look = () => {
    if (document.querySelector(${JSON.stringify(content)})) window.__content = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

async function load(browser: Browser, url: string, one: Case, signedIn: Stored) {
  const storageState = one.isSignedOut ? undefined : signedIn;
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1_440, height: 900 }, storageState });
  const page = await context.newPage();
  await page.addInitScript(observe(one.content));
  let apiRequests = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== '/api/events') apiRequests += 1;
  });
  await page.goto(`/console${one.path}`);
  await page.locator(one.content).first().waitFor();
  await pause(watchedMs);
  const lcp = (await page.evaluate('Math.max(...window.__paints)')) as number;
  const content = (await page.evaluate('window.__content')) as number;
  const timelineNodes = one.hasTimeline ? await countTimelineNodes(page) : undefined;
  await context.close();
  return { lcp, content, apiRequests, timelineNodes };
}

const countTimelineNodes = (page: Page): Promise<number> =>
  page.evaluate(`document.querySelectorAll('section[aria-label="Timeline"], section[aria-label="Timeline"] *').length`);

/** Each load in a new profile, without any cache of the browser. */
export async function measureFirstLoads(stage: ConsoleStage, loads: number): Promise<Record<string, LoadTimes>> {
  const { browser, gateway, owner } = stage;
  const context = await browser.newContext({ baseURL: gateway.url });
  await signInAsAdmin(await context.newPage(), owner);
  const signedIn = await context.storageState();
  await context.close();
  const found: Record<string, LoadTimes> = {};
  for (const [name, one] of Object.entries(loadedPages)) {
    const measured: Awaited<ReturnType<typeof load>>[] = [];
    for (let index = 0; index < loads; index += 1) {
      await pause(forgottenMs);
      measured.push(await load(browser, gateway.url, one, signedIn));
    }
    const { apiRequests, timelineNodes } = measured[0]!;
    found[name] = {
      lcp: Math.round(median(measured.map(({ lcp }) => lcp))),
      slowestLcp: Math.round(
        quantile(
          measured.map(({ lcp }) => lcp),
          1,
        ),
      ),
      content: Math.round(median(measured.map(({ content }) => content))),
      apiRequests,
      ...(timelineNodes !== undefined && { timelineNodes }),
    };
  }
  return found;
}
