import { setTimeout as pause } from 'node:timers/promises';

interface Asking {
  /** Resolves when the first question has been answered. */
  first: Promise<void>;
  close(): void;
}

const askMs = 500;

/** Calls `ask` now and twice a second until it is closed, one call after the other. `ask` must not reject: an outage is an answer. */
export function poll(ask: () => Promise<void>): Asking {
  let closed = false;
  const first = ask();
  const goOn = async () => {
    await first;
    while (!closed) {
      await pause(askMs, undefined, { ref: false });
      if (!closed) await ask();
    }
  };
  void goOn();
  return {
    first,
    close() {
      closed = true;
    },
  };
}
