import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../support/send-request.ts';
import type { RetryingClient } from './retrying-client.ts';
import { somePrompt } from './workload.ts';

/** Work at a constant rate, during which a fault is injected. Each turn is one job with one call, streamed or not. */
export interface Load extends AsyncDisposable {
  /** Begins no new turns. Resolves when the turns in flight have ended. A test that fails before stops it by `await using`. */
  stop(): Promise<void>;
}

/** Begins `perSecond` turns a second, also while earlier ones are in flight: a fault does not reduce the rate. */
export function startLoad(client: RetryingClient, perSecond: number, turn: Turn = wholeOrStreamed): Load {
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
  const stop = async () => {
    stopped = true;
    await beginning;
    await Promise.allSettled(turns);
  };
  return { stop, [Symbol.asyncDispose]: stop };
}

export type Turn = (client: RetryingClient, count: number) => Promise<Json>;

const wholeOrStreamed: Turn = (client, count) =>
  count % 2 === 0 ? client.createAndCall(somePrompt()) : client.createAndStream(somePrompt());
