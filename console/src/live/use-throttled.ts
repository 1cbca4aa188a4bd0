import { useEffect, useMemo, useRef } from 'react';

/** With it a change that follows another one is on the screen within a second. */
const shortestPauseMs = 400;

/**
 * Runs the work at once, and again after a pause, however often it is requested meanwhile. While changes keep coming each pause is twice the
 * one before, up to the longest; after a pause without any it is short again. Decision 79.
 */
export function useThrottled(work: () => Promise<void>, longestPauseMs = 2_000): () => void {
  const current = useRef(work);
  current.current = work;
  const throttle = useMemo(() => createThrottle(() => current.current(), longestPauseMs), [longestPauseMs]);
  useEffect(() => throttle.cancel, [throttle]);
  return throttle.run;
}

function createThrottle(work: () => Promise<void>, longestPauseMs: number) {
  let isBusy = false;
  let isWanted = false;
  let pauseMs = shortestPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    isWanted = false;
    void work().finally(() => {
      timer = setTimeout(() => {
        isBusy = false;
        pauseMs = isWanted ? Math.min(pauseMs * 2, longestPauseMs) : shortestPauseMs;
        if (isWanted) run();
      }, pauseMs);
    });
  };
  return { run, cancel: () => clearTimeout(timer) };
}
