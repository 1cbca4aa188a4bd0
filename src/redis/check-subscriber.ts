import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * A check of the connection for subscriptions: a message that this process publishes to itself has to arrive. A connection whose
 * subscriptions were lost between here and Redis still answers a ping.
 */
export function createSubscriberCheck(commands: Redis, subscriber: Redis): () => Promise<unknown> {
  const channel = `job-gateway:check:${randomUUID()}`;
  let onArrival: (() => void) | undefined;
  subscriber.on('message', (name: string) => {
    if (name === channel) onArrival?.();
  });
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => undefined));

  return async () => {
    await subscriber.ping();
    const arrived = new Promise<void>((resolve) => {
      onArrival = resolve;
    });
    const receivers = await commands.publish(channel, '').catch(() => undefined);
    // The connection for commands has a check of its own.
    if (receivers !== undefined) await arrived;
  };
}
