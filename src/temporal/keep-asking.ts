import { setTimeout as pause } from 'node:timers/promises';

export interface Asking {
  /** Resolves when the first question has been answered. */
  first: Promise<void>;
  /** Resolves when the last question has been answered. */
  close(): Promise<void>;
}

const askMs = 500;

/** Now and twice a second until it is closed, one question after the other. `ask` does not reject: an outage is an answer. */
export function keepAsking(ask: () => Promise<void>): Asking {
  let closed = false;
  const first = ask();
  let last = first;
  const goOn = async () => {
    await first;
    while (!closed) {
      await pause(askMs, undefined, { ref: false });
      if (closed) return;
      last = ask();
      await last;
    }
  };
  void goOn();
  return {
    first,
    close() {
      closed = true;
      return last;
    },
  };
}
