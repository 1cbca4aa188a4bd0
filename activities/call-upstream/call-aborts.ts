const reasonOf = ({ reason }: AbortSignal): string => (reason as Error).message;

/** The reasons to give the call to another attempt: this worker shuts down or missed heartbeats, or an operator requested it. */
const handoverReasons: readonly string[] = ['WORKER_SHUTDOWN', 'NOT_FOUND', 'TIMED_OUT', 'PAUSED', 'RESET'];

const stopRequested = new Error('STOPPED');

/** What aborts one attempt at a call. The first reason decides. */
export class CallAborts {
  /** The client has seen a token of this attempt. */
  hasFirstToken = false;
  private readonly controller = new AbortController();
  private isStopRequested = false;
  private isEnding = false;

  /**
   * `stopped`: its client stops it. `cancelled`: its job was cancelled. `cancellation`: Temporal cancels it, or hands it over to another
   * attempt.
   */
  constructor({ stopped, cancelled, cancellation }: Record<'stopped' | 'cancelled' | 'cancellation', AbortSignal>) {
    stopped.addEventListener('abort', () => this.requestStop(), { once: true });
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

  /** It ends with what it has produced so far. Also where it was to be handed over, because this attempt has the answer. */
  get isStopped(): boolean {
    return this.isStopRequested && (this.signal.reason === stopRequested || this.isHandedOver);
  }

  /** Something other than a stop has aborted it: then its job is left to its workflow. */
  get isLeftToWorkflow(): boolean {
    return this.isEnding;
  }

  requestStop(): void {
    this.isStopRequested = true;
    this.controller.abort(stopRequested);
  }

  /** Aborts with another signal, unless that is to be ignored at that moment. */
  follow(signal: AbortSignal, isIgnored = (): boolean => false): void {
    const abort = () => {
      if (isIgnored()) return;
      this.isEnding = true;
      this.controller.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
}
