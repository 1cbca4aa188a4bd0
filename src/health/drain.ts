import type { Metrics } from '../metrics/metrics.ts';

/** Whether this process has received the signal to end. */
export interface Drain {
  isDraining(): boolean;
  /** Aborts when it has. */
  signal: AbortSignal;
  /** From now on `/health/ready` is 503, so that a load balancer selects other processes. */
  begin(): void;
}

export function createDrain({ draining }: Pick<Metrics, 'draining'>): Drain {
  const controller = new AbortController();
  return {
    isDraining: () => controller.signal.aborted,
    signal: controller.signal,
    begin() {
      controller.abort();
      draining.set(1);
    },
  };
}
