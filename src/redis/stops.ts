import type { Redis } from 'ioredis';
import { channel, isUuid } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** Notifies all workers that a call is to be stopped; the record has the request. Rejects when Redis is unavailable. */
export const publishStop = (commands: Redis, callId: string): Promise<unknown> =>
  commands.publish(channel.stopped, callId);

/** Receives the ids of all calls that are to be stopped, most of them of other processes. */
export const subscribeToStops = (channels: PubSub, onStop: (callId: string) => void): void =>
  channels.subscribePermanently(channel.stopped, (text) => {
    if (isUuid(text)) onStop(text);
    else channels.reportDropped(channel.stopped);
  });
