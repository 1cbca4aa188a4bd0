import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../support/send-request.ts';
import type { SteadyClient } from './steady-client.ts';
import { somePrompt } from './workload.ts';

/** A steady trickle of work that a fault happens to. Each turn is one job with one call, whole or streamed. */
export interface Load {
  /** No new turns; resolves when those under way have come to their end. */
  stop(): Promise<void>;
}

/** `perSecond` turns are begun, whether those before have ended or not: a fault does not slow the clients down. */
export function startLoad(client: SteadyClient, perSecond: number, turn: Turn = wholeOrStreamed): Load {
  const turns = new Set<Promise<unknown>>();
  let stopped = false;
  let count = 0;
  const beginning = (async () => {
    while (!stopped) {
      const one = turn(client, count++).finally(() => turns.delete(one));
      one.catch((error: unknown) => client.report(`a turn of the load failed: ${error}`));
      turns.add(one);
      await pause(1_000 / perSecond);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await beginning;
      await Promise.allSettled(turns);
    },
  };
}

export type Turn = (client: SteadyClient, count: number) => Promise<Json>;

const wholeOrStreamed: Turn = (client, count) =>
  count % 2 === 0 ? client.createAndCall(somePrompt()) : client.createAndStream(somePrompt());
