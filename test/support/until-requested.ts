import type { Gateway } from './gateway.ts';
import { until } from './until.ts';

/** Until the upstream has been asked for the model so often: then a call of it is under way. */
export const untilRequested = (gateway: { readonly current: Gateway }, model: string, times = 1) =>
  until(() => gateway.current.simulator.requestsFor({ model }).length === times);
