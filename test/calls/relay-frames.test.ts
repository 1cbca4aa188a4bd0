import { setTimeout as pause } from 'node:timers/promises';
import type { Watcher } from '../../src/calls/call-subscriptions.ts';
import { type RelayDeps, subscribeToFrames } from '../../src/calls/stream/relay-frames.ts';

const naming = { callId: 'a-call', model: 'smart', created: 1 };

test('frames that Redis does not have are asked for ever less often', async () => {
  let asked = 0;
  const watchers: Watcher[] = [];
  const deps = {
    callEvents: {
      async storedFrames() {
        asked += 1;
        return [];
      },
    },
    redisHealth: { downMs: () => 0 },
    callSubscriptions: {
      async watch(_: string, one: Watcher) {
        watchers.push(one);
        return () => undefined;
      },
    },
  } as unknown as RelayDeps;

  const relay = await subscribeToFrames(deps, naming.callId);
  const over = readAll(relay.events(naming));
  // The first one is missing.
  const begun = Date.now();
  for (let seq = 1; Date.now() - begun < 3_000; seq += 1) {
    watchers[0]!.frame({ callId: naming.callId, attempt: 1, seq, type: 'delta', delta: { content: 'x' } });
    await pause(20);
  }
  watchers[0]!.leaving();

  await over;
  // At once, and then after 0.2, 0.4, 0.8 and 1.6 s.
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(asked).toBeLessThanOrEqual(6);
});

async function readAll(events: AsyncIterable<string>): Promise<void> {
  for await (const _ of events);
}
