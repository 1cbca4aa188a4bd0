import { FramePublisher } from '../../activities/call-upstream/frame-publisher.ts';
import { FrameReorder } from '../../src/calls/frame-reorder.ts';
import type { Frame } from '../../src/domain/call-event.ts';
import { until } from '../support/until.ts';

const usage = { promptTokens: 1, completionTokens: 3, totalTokens: 4 };
const end = { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 5 } as const;

/** A Redis that receives every frame, and whose answers to some come too late. */
function redisThatAnswersLate(isLate: (frame: Frame) => boolean) {
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

test('tokens that were gathered during the pause after a failed publish are published before the end', async () => {
  const redis = redisThatAnswersLate((frame) => frame.seq === 0);
  const publisher = new FramePublisher(redis, { callId: 'a-call', workerAttempt: 1, streamed: true });

  publisher.delta({ content: 'one ' });
  await new Promise(setImmediate);
  publisher.delta({ content: 'two ' });
  publisher.delta({ content: 'three' });
  await publisher.end(end);

  const relay = new FrameReorder();
  const outputs = redis.arrived.flatMap((frame) => relay.accept(frame));
  const text = outputs.map((output) => (output.type === 'delta' ? output.delta.content : '')).join('');
  expect(relay.isOver).toBe(true);
  expect(text).toBe('one two three');
});

/** A Redis that receives nothing while it is unavailable. */
function redisThatIsUnavailable() {
  const sent: Frame[] = [];
  const received: Frame[] = [];
  return {
    isAvailable: false,
    sent,
    received,
    async publish(frame: Frame) {
      sent.push(frame);
      if (!this.isAvailable) throw new Error('Connection is closed');
      received.push(frame);
    },
    publishStarted: async () => undefined,
    subscribe: async () => () => undefined,
    storedFrames: async () => received,
  };
}

test('a frame whose publish failed is published again unchanged when Redis is available again, also when no other frame follows', async () => {
  const redis = redisThatIsUnavailable();
  const publisher = new FramePublisher(redis, { callId: 'a-call', workerAttempt: 1, streamed: true });

  publisher.delta({ content: 'one' });
  await until(() => redis.sent.length === 1);
  publisher.delta({ content: 'two' });
  redis.isAvailable = true;
  await until(() => redis.received.length === 2);

  expect(redis.received[0]).toEqual(redis.sent[0]);
  expect(textsOf(redis.received)).toEqual(['one', 'two']);
  expect(redis.received.map(({ seq }) => seq)).toEqual([0, 1]);
});

test('the end is published at once together with all frames that were not published before, in order', async () => {
  const redis = redisThatIsUnavailable();
  const publisher = new FramePublisher(redis, { callId: 'a-call', workerAttempt: 1, streamed: true });

  publisher.delta({ content: 'one' });
  await until(() => redis.sent.length === 1);
  publisher.delta({ content: 'x'.repeat(100_000) });
  redis.sent.splice(0);
  void publisher.end(end);
  await new Promise(setImmediate);

  expect(redis.sent.map(({ seq, type }) => `${seq} ${type}`)).toEqual(['0 delta', '1 delta', '2 delta', '3 end']);
});

const textsOf = (frames: Frame[]) =>
  frames.flatMap((frame) => (frame.type === 'delta' ? [frame.delta.content ?? ''] : []));

test('a long text is published in several frames, in order, and cut between characters', async () => {
  const redis = redisThatAnswersLate(() => false);
  const publisher = new FramePublisher(redis, { callId: 'a-call', workerAttempt: 1, streamed: true });
  const text = '😀'.repeat(150_001);

  publisher.delta({ content: 'a' });
  publisher.delta({ content: text });
  await publisher.end(end);

  const texts = textsOf(redis.arrived);
  expect(texts.join('') === `a${text}`).toBe(true);
  expect(Math.max(...texts.map((piece) => piece.length))).toBeLessThanOrEqual(65_536);
  expect(texts.every((piece) => piece.isWellFormed())).toBe(true);
  expect(redis.arrived.map(({ seq }) => seq)).toEqual(redis.arrived.map((_, index) => index));
});

test.each([
  [10, true],
  [1_000_000, false],
])('a published end with a message of %d characters contains the message: %p', async (length, contained) => {
  const redis = redisThatAnswersLate(() => false);
  const publisher = new FramePublisher(redis, { callId: 'a-call', workerAttempt: 1, streamed: false });

  await publisher.end({ ...end, message: { content: 'x'.repeat(length) } });

  expect(redis.arrived.at(-1)).toMatchObject({ type: 'end', end: { status: 'succeeded' } });
  expect(JSON.stringify(redis.arrived.at(-1)).length > length).toBe(contained);
});
