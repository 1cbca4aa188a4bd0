import { FramePublisher } from '../../activities/frame-publisher.ts';
import type { Frame } from '../../src/domain/frames.ts';
import { RelayState } from '../../src/relay/relay-state.ts';

const usage = { promptTokens: 1, completionTokens: 3, totalTokens: 4 };
const end = { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 5 } as const;

/** A channel that takes every frame, and says of some that it did not: a Redis that answers too late. */
function channelThatAnswersLate(isLate: (frame: Frame) => boolean) {
  const arrived: Frame[] = [];
  return {
    arrived,
    async publish(frame: Frame) {
      arrived.push(frame);
      if (isLate(frame)) throw new Error('Command timed out');
    },
    subscribe: async () => () => undefined,
    kept: async () => arrived,
  };
}

test('tokens that were gathered while Redis was left alone are not missing before the end', async () => {
  const channel = channelThatAnswersLate((frame) => frame.seq === 0);
  const publisher = new FramePublisher(channel, 'a-call', 1, true);

  publisher.delta({ content: 'one ' });
  await new Promise(setImmediate);
  publisher.delta({ content: 'two ' });
  publisher.delta({ content: 'three' });
  await publisher.end(end);

  const relay = new RelayState();
  const said = channel.arrived.flatMap((frame) => relay.accept(frame));
  const text = said.map((output) => (output.type === 'delta' ? output.delta.content : '')).join('');
  expect(relay.isOver).toBe(true);
  expect(text).toBe('one two three');
});
