/** A token takes 0.1 ms. An answer of 10 MB in one piece takes as long as this. */
const burstMs = 100;
/** The share of the thread's time. */
const share = 0.25;

/**
 * What the reading of one answer may take of the only thread: a burst, and a quarter of the time since then. Other calls run while
 * it pauses.
 */
export class ThreadShare {
  private usedMs = 0;
  private readonly startedAt = performance.now();

  measure<T>(work: () => T): T {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.usedMs += performance.now() - startedAt;
    }
  }

  /** How long the reading has to pause now; 0 or less: not at all. */
  get pauseMs(): number {
    return (this.usedMs - burstMs) / share - (performance.now() - this.startedAt);
  }
}
