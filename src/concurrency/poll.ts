import { setTimeout as pause } from 'node:timers/promises';

export interface Polling {
  /** Resolves when the first call of the task has ended. */
  first: Promise<void>;
  /** Starts no further call of the task. Resolves when the current call has ended. */
  close(): Promise<void>;
}

const defaultPauseMs = 500;

/**
 * Calls `task` now, and again `pauseMs` after each call has ended, until it is closed; a function is called before each pause.
 * `task` must not reject: it handles its own failures.
 */
export function poll(task: () => Promise<void>, pauseMs: number | (() => number) = defaultPauseMs): Polling {
  const closing = new AbortController();
  const first = task();
  const repeat = async () => {
    await first;
    while (!closing.signal.aborted) {
      const ms = typeof pauseMs === 'number' ? pauseMs : pauseMs();
      await pause(ms, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      if (!closing.signal.aborted) await task();
    }
  };
  const ended = repeat();
  return {
    first,
    close() {
      closing.abort();
      return ended;
    },
  };
}
