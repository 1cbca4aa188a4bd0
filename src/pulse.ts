/** A question that waits for its answer. */
interface Waiting {
  askedAt: number;
  giveUp(): void;
}

const tickMs = 200;

/**
 * Tells what is slow from what is away. Under load answers come late, but answers come; from what is frozen or gone nothing
 * comes, to anybody. So a question is given up when nothing at all was answered for `silenceMs` since it was asked.
 */
export class Pulse {
  private readonly waiting = new Set<Waiting>();
  private readonly silenceMs: number;
  private readonly timer: NodeJS.Timeout;
  /**
   * Milliseconds in which this process could have read an answer. While it is held up, by a large body or a busy machine,
   * answers lie there unread, and that is nobody's silence.
   */
  private clock = 0;
  private answeredAt = 0;
  private tickedAt = Date.now();

  constructor(silenceMs: number) {
    this.silenceMs = silenceMs;
    this.timer = setInterval(() => this.tick(Date.now()), tickMs);
    this.timer.unref();
  }

  /** `givenUp` is aborted with the question: what has not begun then shall not begin. Rejects with `silent()`. */
  listen<T>(question: (givenUp: AbortSignal) => Promise<T>, silent: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const giving = new AbortController();
      const waiting: Waiting = {
        askedAt: this.clock,
        giveUp: () => {
          this.waiting.delete(waiting);
          reject(silent());
          giving.abort();
        },
      };
      this.waiting.add(waiting);
      question(giving.signal)
        .then((answer) => {
          this.answeredAt = this.clock;
          resolve(answer);
        }, reject)
        .finally(() => this.waiting.delete(waiting));
    });
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
