/** Whether this process has been told to end. */
export interface Drain {
  isDraining(): boolean;
  /** Aborts when it has. */
  signal: AbortSignal;
  /** From now on `/health/ready` is 503, so that a load balancer selects other processes. */
  begin(): void;
}

export function createDrain(): Drain {
  const draining = new AbortController();
  return {
    isDraining: () => draining.signal.aborted,
    signal: draining.signal,
    begin: () => draining.abort(),
  };
}
