import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { channel, lostStreamKey } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** The call of a stream. */
export interface StreamedCallIds {
  callId: string;
  jobId: string;
}

/** A stream that has a reader. */
export interface ReadStream {
  /** The reader has left before the last event: an equal request may take the stream up. */
  lose(): void;
  /** The reader has the last event. */
  deliver(): void;
}

/**
 * Streams whose reader was lost before the last event, by the fingerprints of their requests. That a process reads a stream is known by
 * its subscription, which ends with the process. Without Redis no stream is taken up. `spec 27.9`
 */
export interface LostStreams {
  /** A stream has a reader now. Does not wait for Redis. */
  read(fingerprint: string, ids: StreamedCallIds): ReadStream;
  /** The call whose stream this request takes up. Undefined: there is none, or Redis is unavailable. */
  take(fingerprint: string): Promise<StreamedCallIds | undefined>;
}

/** An agent repeats a request for as long. */
const keptSeconds = 300;
/** The process that takes a stream up subscribes within this time. */
const claimMs = 5_000;

const deleteScript = `
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`;

interface Scripts {
  deleteStream(key: string, value: string): Promise<null>;
}

/** How long a process that has lost its reader may take to unsubscribe. */
const unsubscribedWithin = { tries: 4, pauseMs: 100 };

export function createLostStreams(commands: Redis, channels: PubSub): LostStreams {
  commands.defineCommand('deleteStream', { numberOfKeys: 1, lua: deleteScript });
  const scripts = commands as Redis & Scripts;

  async function hasReader(callId: string): Promise<boolean> {
    const [, readers] = await commands.pubsub('NUMSUB', channel.reader(callId));
    return Number(readers) > 0;
  }

  /** Between the moment in which a process takes a stream up and that in which it is subscribed. */
  const claimOf = (callId: string) => `${channel.reader(callId)}:claim`;

  return {
    read(fingerprint, ids) {
      const key = lostStreamKey(fingerprint);
      const value = JSON.stringify(ids);
      const subscribed = channels.subscribe(channel.reader(ids.callId), () => undefined).catch(() => undefined);
      commands.set(key, value, 'EX', keptSeconds).catch(() => undefined);
      void subscribed.then((unsubscribe) => unsubscribe && commands.del(claimOf(ids.callId)).catch(() => undefined));
      let isOver = false;
      const end = (isDelivered: boolean) => {
        if (isOver) return;
        isOver = true;
        if (isDelivered) scripts.deleteStream(key, value).catch(() => undefined);
        void subscribed.then((unsubscribe) => unsubscribe?.());
      };
      return { lose: () => end(false), deliver: () => end(true) };
    },
    async take(fingerprint) {
      try {
        const value = await commands.get(lostStreamKey(fingerprint));
        if (value === null) return undefined;
        const ids = JSON.parse(value) as StreamedCallIds;
        for (let tries = 1; await hasReader(ids.callId); tries += 1) {
          if (tries === unsubscribedWithin.tries) return undefined;
          await pause(unsubscribedWithin.pauseMs);
        }
        const claimed = await commands.set(claimOf(ids.callId), '1', 'PX', claimMs, 'NX');
        return claimed === null ? undefined : ids;
      } catch {
        return undefined;
      }
    },
  };
}
