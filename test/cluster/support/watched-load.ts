import type { Installation } from '../../faults/support/installation.ts';
import { type Load, startLoad } from '../../faults/support/load.ts';
import { RetryingClient } from '../../faults/support/retrying-client.ts';
import { somePrompt } from '../../faults/support/workload.ts';
import { givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';

/** A turn that takes longer has met the fault. */
const slowMs = 3_000;

/** Jobs with one call each, begun at a constant rate, and when those that took long have ended. */
export interface WatchedLoad extends AsyncDisposable {
  client: RetryingClient;
  stop(): Promise<void>;
  /** Resolves when as many turns have ended since. */
  turns(count: number): Promise<void>;
  /** The milliseconds from this moment to the end of the last slow turn after it; 0: none was slow. */
  recoveredAfterMs(moment: number): number;
}

/** Far below what two cores can do beside the cluster: a refusal must come from the fault. */
const perSecond = 3;

export async function startWatchedLoad(installation: Installation): Promise<WatchedLoad> {
  const team = await givenIn({ current: installation }).team({
    credits: 100_000,
    models: ['sim-echo-every-5'],
    max_concurrent_calls: 500,
  });
  const client = new RetryingClient(installation, team);
  const slowEnds: number[] = [];
  let ended = 0;
  const load: Load = startLoad(client, perSecond, async (_, count) => {
    const startedAt = Date.now();
    await (count % 2 === 0 ? client.createAndCall(somePrompt()) : client.createAndStream(somePrompt()));
    ended += 1;
    if (Date.now() - startedAt > slowMs) slowEnds.push(Date.now());
  });
  return {
    client,
    stop: () => load.stop(),
    async turns(count) {
      const before = ended;
      await until(() => ended >= before + count, Boolean, 90_000);
    },
    recoveredAfterMs: (moment) => Math.max(0, ...slowEnds.map((end) => end - moment)),
    [Symbol.asyncDispose]: () => load.stop(),
  };
}
