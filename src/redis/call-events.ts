import { setImmediate as turnEnds } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { CallStarted, Frame } from '../domain/call-event.ts';
import { channel, streamKey } from '../domain/ids.ts';
import { longestFrame, parseFrame } from './parse-frame.ts';
import { createFramePublishing, keptAfterSeconds } from './publish-frames.ts';
import type { PubSub } from './pubsub.ts';

/** The expiry is renewed with every so many frames, and with the last: not with each token of every stream. */
const prolongedEvery = 16;

/** More than are kept of a call: a stream that others have written to is not read without end. */
const mostKept = 6_000;

type Listener = (said: Frame | CallStarted) => void;

/** The live path of a call's frames: published to those that listen now, and kept a while for readers that missed one. */
export interface CallEvents {
  /** `kept`: also append it, for a reader that comes late or missed one. Rejects when Redis is away. */
  publish(frame: Frame, kept: boolean): Promise<void>;
  /** Rejects when Redis is away. */
  publishStarted(callId: string): Promise<unknown>;
  /** Resolves when frames will arrive; rejects when Redis is away. */
  subscribe(callId: string, listener: Listener): Promise<() => void>;
  /** The kept frames of a call, in the order in which they were kept. */
  storedFrames(callId: string): Promise<Frame[]>;
}

export function createCallEvents(commands: Redis, channels: PubSub): CallEvents {
  const say = createFramePublishing(commands);

  return {
    async publish(frame, kept) {
      const text = JSON.stringify(frame);
      // Readers would drop it. They take what it holds from the record, at the end.
      if (text.length > longestFrame) return;
      const name = channel.call(frame.callId);
      if (!kept) {
        await commands.publish(name, text);
        return;
      }
      const isUrgent = frame.type === 'end' || frame.seq === 0;
      const keptSeconds = isUrgent || frame.seq % prolongedEvery === 0 ? keptAfterSeconds : undefined;
      await say({ channel: name, key: streamKey.call(frame.callId), text, keptSeconds, isUrgent });
    },
    publishStarted(callId) {
      const begun: CallStarted = { callId, type: 'started' };
      return commands.publish(channel.call(callId), JSON.stringify(begun));
    },
    async subscribe(callId, listener) {
      // Lets the statement that records the call, which takes longer, be sent first.
      await turnEnds();
      const name = channel.call(callId);
      return channels.subscribe(name, (text) => {
        const message = parseFrame(callId, text);
        if (message) listener(message);
        else channels.reportDropped(name);
      });
    },
    async storedFrames(callId) {
      const key = streamKey.call(callId);
      const entries = await commands.xrange(key, '-', '+', 'COUNT', mostKept);
      return entries.flatMap(([, [, text = '']]) => {
        const frame = parseFrame(callId, text);
        if (frame && frame.type !== 'started') return [frame];
        channels.reportDropped(key);
        return [];
      });
    },
  };
}
