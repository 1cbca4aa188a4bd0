const reasonOf = ({ reason }: AbortSignal): string => (reason as Error).message;

/** The reasons to give the call to another attempt: this worker shuts down or missed heartbeats, or an operator requested it. */
const handoverReasons: readonly string[] = ['WORKER_SHUTDOWN', 'NOT_FOUND', 'TIMED_OUT', 'PAUSED', 'RESET'];

/** What aborts one attempt at a call. The first reason decides. */
export class CallAborts {
  /** The client has seen a token of this attempt. */
  hasFirstToken = false;
  private readonly controller = new AbortController();

  /** `cancelled`: its job was cancelled. `cancellation`: Temporal cancels it, or hands it over to another attempt. */
  constructor(cancelled: AbortSignal, cancellation: AbortSignal) {
    this.follow(cancelled);
    // No other attempt may start over once a token was sent, and the guards of the row let only one write the end: then this worker
    // goes on although it has missed heartbeats.
    this.follow(cancellation, () => this.hasFirstToken && reasonOf(cancellation) === 'TIMED_OUT');
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** False also for a call that is cancelled. */
  get isHandedOver(): boolean {
    return this.signal.aborted && handoverReasons.includes(reasonOf(this.signal));
  }

  /** Aborts with another signal, unless that is to be ignored at that moment. */
  follow(signal: AbortSignal, isIgnored = (): boolean => false): void {
    const abort = () => {
      if (!isIgnored()) this.controller.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
}
