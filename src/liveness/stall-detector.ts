/** A request that waits for its answer. */
interface Waiting {
  askedAt: number;
  giveUp(): void;
}

const tickMs = 200;

/**
 * Tells a slow server from one that is away. Under load answers come late, but answers come; a frozen or absent server answers
 * no request at all. So a request is given up when no answer at all has come for `silenceMs` since it was sent.
 */
export class StallDetector {
  private readonly waiting = new Set<Waiting>();
  private readonly silenceMs: number;
  private readonly timer: NodeJS.Timeout;
  /**
   * Milliseconds in which this process could have read an answer. While it is held up, by a large body or a busy machine,
   * answers lie there unread, and the server is not silent.
   */
  private clock = 0;
  private answeredAt = 0;
  private tickedAt = Date.now();

  constructor(silenceMs: number) {
    this.silenceMs = silenceMs;
    this.timer = setInterval(() => this.tick(Date.now()), tickMs);
    this.timer.unref();
  }

  /** Waits for something that other requests' answers bring. Rejects with the error of `giveUp` when the server is silent. */
  waitFor<T>(coming: Promise<T>, giveUp: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        askedAt: this.clock,
        giveUp: () => {
          this.waiting.delete(waiting);
          reject(giveUp());
        },
      };
      this.waiting.add(waiting);
      coming.then(resolve, reject).finally(() => this.waiting.delete(waiting));
    });
  }

  /** Waits for an answer, which counts as a sign of life for all waiting requests. */
  watch<T>(answer: Promise<T>, giveUp: () => Error): Promise<T> {
    const heard = answer.then((said) => {
      this.answeredAt = this.clock;
      return said;
    });
    return this.waitFor(heard, giveUp);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick(now: number): void {
    this.clock += Math.min(now - this.tickedAt, 1.5 * tickMs);
    this.tickedAt = now;
    for (const waiting of this.waiting) {
      if (this.clock - Math.max(waiting.askedAt, this.answeredAt) > this.silenceMs) waiting.giveUp();
    }
  }
}
