import type { Gateway } from './gateway.ts';
import { until } from './until.ts';

/** Waits until the upstream has received this number of requests for the model: then the calls are in flight. */
export const untilRequested = (gateway: { readonly current: Gateway }, model: string, times = 1) =>
  until(() => gateway.current.simulator.requestsFor({ model }).length === times);
