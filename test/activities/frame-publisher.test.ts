import { FramePublisher } from '../../activities/call-upstream/frame-publisher.ts';
import { FrameReorder } from '../../src/calls/frame-reorder.ts';
import type { Frame } from '../../src/domain/call-event.ts';
import { until } from '../support/until.ts';

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
    publishStarted: async () => undefined,
    subscribe: async () => () => undefined,
    storedFrames: async () => arrived,
  };
}

test('tokens that were gathered while Redis was left alone are not missing before the end', async () => {
  const channel = channelThatAnswersLate((frame) => frame.seq === 0);
  const publisher = new FramePublisher(channel, { callId: 'a-call', attempt: 1, streamed: true });

  publisher.delta({ content: 'one ' });
  await new Promise(setImmediate);
  publisher.delta({ content: 'two ' });
  publisher.delta({ content: 'three' });
  await publisher.end(end);

  const relay = new FrameReorder();
  const said = channel.arrived.flatMap((frame) => relay.accept(frame));
  const text = said.map((output) => (output.type === 'delta' ? output.delta.content : '')).join('');
  expect(relay.isOver).toBe(true);
  expect(text).toBe('one two three');
});

/** A channel that takes nothing while it is away. */
function channelThatIsAway() {
  const asked: Frame[] = [];
  const taken: Frame[] = [];
  return {
    away: true,
    asked,
    taken,
    async publish(frame: Frame) {
      asked.push(frame);
      if (this.away) throw new Error('Connection is closed');
      taken.push(frame);
    },
    publishStarted: async () => undefined,
    subscribe: async () => () => undefined,
    storedFrames: async () => taken,
  };
}

test('a frame that was not taken is said again, the same, when Redis is back: also when nothing else comes', async () => {
  const channel = channelThatIsAway();
  const publisher = new FramePublisher(channel, { callId: 'a-call', attempt: 1, streamed: true });

  publisher.delta({ content: 'one' });
  await until(() => channel.asked.length === 1);
  publisher.delta({ content: 'two' });
  channel.away = false;
  await until(() => channel.taken.length === 2);

  expect(channel.taken[0]).toEqual(channel.asked[0]);
  expect(textsOf(channel.taken)).toEqual(['one', 'two']);
  expect(channel.taken.map(({ seq }) => seq)).toEqual([0, 1]);
});

test('at the end all that was not taken leaves at once, in order, and waits for no pause', async () => {
  const channel = channelThatIsAway();
  const publisher = new FramePublisher(channel, { callId: 'a-call', attempt: 1, streamed: true });

  publisher.delta({ content: 'one' });
  await until(() => channel.asked.length === 1);
  publisher.delta({ content: 'x'.repeat(100_000) });
  channel.asked.splice(0);
  void publisher.end(end);
  await new Promise(setImmediate);

  expect(channel.asked.map(({ seq, type }) => `${seq} ${type}`)).toEqual(['0 delta', '1 delta', '2 delta', '3 end']);
});

const textsOf = (frames: Frame[]) =>
  frames.flatMap((frame) => (frame.type === 'delta' ? [frame.delta.content ?? ''] : []));

test('a long text leaves in pieces, in order, and no character is torn', async () => {
  const channel = channelThatAnswersLate(() => false);
  const publisher = new FramePublisher(channel, { callId: 'a-call', attempt: 1, streamed: true });
  const text = '😀'.repeat(150_001);

  publisher.delta({ content: 'a' });
  publisher.delta({ content: text });
  await publisher.end(end);

  const texts = textsOf(channel.arrived);
  expect(texts.join('') === `a${text}`).toBe(true);
  expect(Math.max(...texts.map((piece) => piece.length))).toBeLessThanOrEqual(65_536);
  expect(texts.every((piece) => piece.isWellFormed())).toBe(true);
  expect(channel.arrived.map(({ seq }) => seq)).toEqual(channel.arrived.map((_, index) => index));
});

test.each([
  [10, true],
  [1_000_000, false],
])('an end with a message of %d characters carries it: %p', async (length, carried) => {
  const channel = channelThatAnswersLate(() => false);
  const publisher = new FramePublisher(channel, { callId: 'a-call', attempt: 1, streamed: false });

  await publisher.end({ ...end, message: { content: 'x'.repeat(length) } });

  expect(channel.arrived.at(-1)).toMatchObject({ type: 'end', end: { status: 'succeeded' } });
  expect(JSON.stringify(channel.arrived.at(-1)).length > length).toBe(carried);
});
