import { useEffect, useMemo, useRef } from 'react';

const pauseMs = 2_000;

/** Runs the work at once, and again only two seconds after it has ended, however often it is asked for meanwhile. */
export function useThrottled(work: () => Promise<void>): () => void {
  const current = useRef(work);
  current.current = work;
  const throttle = useMemo(() => createThrottle(() => current.current()), []);
  useEffect(() => throttle.cancel, [throttle]);
  return throttle.run;
}

function createThrottle(work: () => Promise<void>) {
  let isBusy = false;
  let isWanted = false;
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
        if (isWanted) run();
      }, pauseMs);
    });
  };
  return { run, cancel: () => clearTimeout(timer) };
}
