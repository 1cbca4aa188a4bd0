import { setTimeout as pause } from 'node:timers/promises';
import type { Temporal } from './client.ts';

/** Whether the server answers at all, for those who wait for something that it will tell much later. */
export interface TemporalWatch {
  away(): boolean;
  close(): void;
}

const askMs = 500;
/** The promise is 3 s; most of the rest is the pulse of `Temporal.ask`. */
const answerWithinMs = 2_000;

export function watchTemporal(temporal: Temporal): TemporalWatch {
  let isAway = false;
  let closed = false;
  const ask = async () => {
    while (!closed) {
      isAway = await temporal
        .ask((client) => client.workflowService.getSystemInfo({}), answerWithinMs)
        .then(
          () => false,
          () => true,
        );
      await pause(askMs, undefined, { ref: false });
    }
  };
  void ask();
  return {
    away: () => isAway,
    close() {
      closed = true;
    },
  };
}
