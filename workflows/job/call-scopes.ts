import { CancellationScope } from '@temporalio/workflow';

/**
 * A scope holds memory for everything that ran in it until it is cancelled, and costs a handful of promises itself: so neither
 * one scope for each call nor one for thousands of calls.
 */
const callsPerScope = 16;

interface Scope {
  shielded: CancellationScope;
  calling: CancellationScope;
  started: number;
  running: number;
}

/** Calls can be cancelled; nothing else that a job does can. */
export class CallScopes {
  private current = newScope();
  /** The current scope, and earlier ones whose calls have not all ended. */
  private readonly open = new Set([this.current]);

  get shielded(): CancellationScope {
    return this.current.shielded;
  }

  async runCall<T>(call: () => Promise<T>): Promise<T> {
    if (this.current.started === callsPerScope) this.replaceCurrent();
    const scope = this.current;
    scope.started += 1;
    scope.running += 1;
    try {
      return await scope.calling.run(call);
    } finally {
      scope.running -= 1;
      this.closeWhenDone(scope);
    }
  }

  get isCalling(): boolean {
    return [...this.open].some(({ running }) => running > 0);
  }

  cancelCalls(): void {
    for (const { calling } of this.open) calling.cancel();
  }

  private replaceCurrent(): void {
    const full = this.current;
    this.current = newScope();
    this.open.add(this.current);
    this.closeWhenDone(full);
  }

  private closeWhenDone(scope: Scope): void {
    if (scope === this.current || scope.running > 0) return;
    this.open.delete(scope);
    // No call runs in this scope any more: cancelling it only frees its memory.
    scope.calling.cancel();
  }
}

function newScope(): Scope {
  const shielded = new CancellationScope({ cancellable: false });
  return { shielded, calling: new CancellationScope({ cancellable: true, parent: shielded }), started: 0, running: 0 };
}
