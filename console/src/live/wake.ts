const tickMs = 2_000;
/** A timer that is this late was stopped with the computer or with the page. The timer of a page that is shown is late by less. */
const sleptMs = 10_000;

/**
 * Calls back when the page may have lost its connections without an event about it: after the sleep of the computer, when it was frozen or
 * restored from the cache of the browser, and when the network is back. Returns what ends it.
 */
export function onWake(wake: () => void): () => void {
  let tickedAt = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const isLate = now - tickedAt > sleptMs && document.visibilityState === 'visible';
    tickedAt = now;
    if (isLate) wake();
  }, tickMs);
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) wake();
  };
  window.addEventListener('online', wake);
  window.addEventListener('pageshow', onShow);
  document.addEventListener('resume', wake);
  return () => {
    clearInterval(timer);
    window.removeEventListener('online', wake);
    window.removeEventListener('pageshow', onShow);
    document.removeEventListener('resume', wake);
  };
}
