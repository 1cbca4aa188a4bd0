import { setTimeout as pause } from 'node:timers/promises';
import type { CallSubscriber } from '../../src/calls/call-subscriptions.ts';
import { type RelayDeps, subscribeToFrames } from '../../src/calls/relay-frames.ts';

const callId = 'a-call';

test('the stored frames are read after growing pauses while a frame is missing', async () => {
  let reads = 0;
  const subscribers: CallSubscriber[] = [];
  const deps = {
    callEvents: {
      async storedFrames() {
        reads += 1;
        return [];
      },
    },
    redisHealth: { downMs: () => 0 },
    callSubscriptions: {
      async subscribe(_: string, one: CallSubscriber) {
        subscribers.push(one);
        return () => undefined;
      },
    },
  } as unknown as RelayDeps;

  const frames = await subscribeToFrames(deps, callId);
  const ended = readAll(frames.outputs());
  // The first one is missing.
  const startedAt = Date.now();
  for (let seq = 1; Date.now() - startedAt < 3_000; seq += 1) {
    subscribers[0]!.onEvent({ callId, attempt: 1, seq, type: 'delta', delta: { content: 'x' } });
    await pause(20);
  }
  subscribers[0]!.onShutdown();

  await ended;
  // Immediately, and then after 0.2, 0.4, 0.8 and 1.6 s.
  expect(reads).toBeGreaterThanOrEqual(3);
  expect(reads).toBeLessThanOrEqual(6);
});

async function readAll(outputs: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of outputs);
}
