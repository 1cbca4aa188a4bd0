/** A request without a response yet. */
interface Pending {
  startedAt: number;
  fail(): void;
}

const tickMs = 200;

/**
 * Distinguishes a slow server from an unavailable one. Under load responses come late, but they come; a frozen or absent server
 * sends no response at all. So a request fails when no request at all has got a response for `stallMs` since it was sent.
 */
export class StallDetector {
  private readonly pending = new Set<Pending>();
  private readonly stallMs: number;
  private readonly timer: NodeJS.Timeout;
  /**
   * Milliseconds in which this process could have read a response. While it is blocked, by a large body or a busy machine,
   * responses arrive and are not read, which is no stall of the server.
   */
  private clock = 0;
  private respondedAt = 0;
  private tickedAt = Date.now();

  constructor(stallMs: number) {
    this.stallMs = stallMs;
    this.timer = setInterval(() => this.tick(Date.now()), tickMs);
    this.timer.unref();
  }

  /** Waits for something that the responses to other requests bring. Rejects with the error of `onStall` when the server stalls. */
  waitFor<T>(result: Promise<T>, onStall: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        startedAt: this.clock,
        fail: () => {
          this.pending.delete(pending);
          reject(onStall());
        },
      };
      this.pending.add(pending);
      result.then(resolve, reject).finally(() => this.pending.delete(pending));
    });
  }

  /** Waits for a response. It proves to all pending requests that the server is available. */
  watch<T>(response: Promise<T>, onStall: () => Error): Promise<T> {
    const result = response.then((value) => {
      this.respondedAt = this.clock;
      return value;
    });
    return this.waitFor(result, onStall);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick(now: number): void {
    this.clock += Math.min(now - this.tickedAt, 1.5 * tickMs);
    this.tickedAt = now;
    for (const pending of this.pending) {
      if (this.clock - Math.max(pending.startedAt, this.respondedAt) > this.stallMs) pending.fail();
    }
  }
}
