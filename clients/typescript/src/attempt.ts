import { APIConnectionError, APITimeoutError, JobGatewayError } from './errors.ts';
import type { Signal } from './globals.ts';

/** A timer of the platform takes no more than this, 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/** One request on its way: it ends by its time, by the signal of the program, or by `end`. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #signal: Signal | undefined;
  readonly #onAbort = () => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLate = false;

  constructor(signal?: Signal) {
    signal?.throwIfAborted();
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort);
  }

  get signal(): Signal {
    return this.#controller.signal;
  }

  /** From now on it has so much time; the limit before is void. */
  limit(ms: number): void {
    clearTimeout(this.#timer);
    if (ms > maxTimerMs) return;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, ms);
  }

  /** What is thrown for an error of the platform. The reason of the program's own abort is thrown as it is. */
  failureOf(error: unknown): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    if (error instanceof JobGatewayError) return error;
    if (this.#isLate) return new APITimeoutError('The gateway did not answer in time', { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    return new APIConnectionError(`The connection failed: ${reason}`, { cause: error });
  }

  /** Frees the timer and the signal; what is still being read is left. */
  end(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }
}

/** Rejects with the reason of the signal as soon as that is aborted. */
export async function wait(ms: number, signal?: Signal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
