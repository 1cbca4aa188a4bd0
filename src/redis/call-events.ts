import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { CallStarted, Frame } from '../domain/call-event.ts';
import { channel, streamKey } from '../domain/ids.ts';
import { maxFrameCharacters, parseFrame } from './parse-frame.ts';
import { createFramePublishing, storedSeconds } from './publish-frames.ts';
import type { PubSub } from './pubsub.ts';

/** The expiry is renewed with every so many frames, and with the last one: not with each token of every stream. */
const renewedEvery = 16;

/** Fewer are stored of a call: the read of a stream to which others have written is bounded. */
const maxReadFrames = 6_000;

type Listener = (event: Frame | CallStarted) => void;

/** The live path of a call's frames: published to those who are subscribed, and stored for a while for readers that missed one. */
export interface CallEvents {
  /** `stored`: also append it, for a reader that comes late or missed one. Rejects when Redis is unavailable. */
  publish(frame: Frame, stored: boolean): Promise<void>;
  /** Rejects when Redis is unavailable. */
  publishStarted(callId: string): Promise<unknown>;
  /** Resolves when frames will be received; rejects when Redis is unavailable. */
  subscribe(callId: string, listener: Listener): Promise<() => void>;
  /** The stored frames of a call, in the order in which they were stored. */
  storedFrames(callId: string): Promise<Frame[]>;
}

export function createCallEvents(commands: Redis, channels: PubSub): CallEvents {
  const publishStored = createFramePublishing(commands);

  return {
    async publish(frame, stored) {
      const text = JSON.stringify(frame);
      // Readers would drop it. At the end of the call they read its content from the record.
      if (text.length > maxFrameCharacters) return;
      const name = channel.call(frame.callId);
      if (!stored) {
        await commands.publish(name, text);
        return;
      }
      const isUrgent = frame.type === 'end' || frame.seq === 0;
      const expirySeconds = isUrgent || frame.seq % renewedEvery === 0 ? storedSeconds : undefined;
      await publishStored({ channel: name, key: streamKey.call(frame.callId), text, expirySeconds, isUrgent });
    },
    publishStarted(callId) {
      const event: CallStarted = { callId, type: 'started' };
      return commands.publish(channel.call(callId), JSON.stringify(event));
    },
    async subscribe(callId, listener) {
      // The statement that records the call takes longer, so it is sent first.
      await nextTurn();
      const name = channel.call(callId);
      return channels.subscribe(name, (text) => {
        const event = parseFrame(callId, text);
        if (event) listener(event);
        else channels.reportDropped(name);
      });
    },
    async storedFrames(callId) {
      const key = streamKey.call(callId);
      const entries = await commands.xrange(key, '-', '+', 'COUNT', maxReadFrames);
      return entries.flatMap(([, [, text = '']]) => {
        const frame = parseFrame(callId, text);
        if (frame && frame.type !== 'started') return [frame];
        channels.reportDropped(key);
        return [];
      });
    },
  };
}
