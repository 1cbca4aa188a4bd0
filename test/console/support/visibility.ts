import type { Page } from 'playwright-core';

/** Makes the page as if its tab were hidden or shown: a headless Chromium shows every tab. Without an event the page is not notified. */
export const setVisibility = (page: Page, state: 'hidden' | 'visible', hasEvent = true): Promise<void> =>
  page.evaluate(`
    Object.defineProperties(document, {
      visibilityState: { get: () => '${state}', configurable: true },
      hidden: { get: () => ${state === 'hidden'}, configurable: true },
    });
    ${hasEvent ? "document.dispatchEvent(new Event('visibilitychange'))" : ''}`);
