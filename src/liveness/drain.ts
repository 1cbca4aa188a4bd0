import type { Metrics } from '../metrics/metrics.ts';

/** Whether this process has been told to end. */
export interface Drain {
  isDraining(): boolean;
  /** From now on `/health/ready` is 503, so that a load balancer selects other processes. */
  begin(): void;
}

export function createDrain({ draining }: Pick<Metrics, 'draining'>): Drain {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    begin() {
      isDraining = true;
      draining.set(1);
    },
  };
}
