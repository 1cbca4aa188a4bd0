import { timedOut } from './upstream-error.ts';

export interface TimeoutSettings {
  /** The time until a plain answer is complete, and between two data events of a stream. */
  timeoutMs: number;
  /** The time until the answer is complete, whatever its form. */
  maxMs: number;
}

/** The timeouts of one request to a model: `spec 4.9`. */
export class AnswerTimeouts {
  private readonly controller = new AbortController();
  private readonly maximum: NodeJS.Timeout;
  private silence: NodeJS.Timeout;
  private isHandling = false;

  constructor({ timeoutMs, maxMs }: TimeoutSettings) {
    this.maximum = setTimeout(() => this.abort(), maxMs);
    this.silence = setTimeout(() => this.endSilence(), timeoutMs);
  }

  /** Aborts with an `UpstreamError`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Handles a data event. The time that this takes is no silence of the upstream. */
  async during(handle: () => Promise<void>): Promise<void> {
    this.isHandling = true;
    try {
      await handle();
    } finally {
      this.isHandling = false;
      this.silence.refresh();
    }
  }

  /** Limits the time in which the rest of the response is read. */
  endWithin(ms: number): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.abort(), ms);
  }

  close(): void {
    clearTimeout(this.silence);
    clearTimeout(this.maximum);
  }

  private endSilence(): void {
    if (this.isHandling) this.silence.refresh();
    else this.abort();
  }

  private abort(): void {
    this.controller.abort(timedOut());
  }
}
