import type { RedisConnections, ReportDropped } from './connection.ts';

/** Channels without a listener are unsubscribed together, this long after the first: a command costs more than a channel. */
const unsubscribeAfterMs = 100;

type Listener = (text: string) => void;

/**
 * The listeners of each channel. A new connection is subscribed to all channels here: if Redis does not respond to the driver's
 * own subscription, the driver ends the process.
 */
export interface PubSub {
  /** Resolves when everything that is published from now on will be received; rejects when Redis is unavailable. */
  subscribe(name: string, listener: Listener): Promise<() => void>;
  /** Subscribes for the life of the process, from when Redis is available. */
  subscribePermanently(name: string, listener: Listener): void;
  /** Calls back when messages may have been missed: the connection was lost, and its channels are subscribed again. Returns how to stop. */
  onResubscribed(listener: () => void): () => void;
  /** Reports that a listener received what this service does not publish on the channel. */
  reportDropped: ReportDropped;
}

export function createPubSub({
  subscriber,
  reportDropped,
}: Pick<RedisConnections, 'subscriber' | 'reportDropped'>): PubSub {
  const listeners = new Map<string, Set<Listener>>();
  const unused: string[] = [];
  const onResubscribed = new Set<() => void>();

  subscriber.on('message', (name: string, text: string) => {
    for (const listener of listeners.get(name) ?? []) {
      // An error that is thrown here would end the process.
      try {
        listener(text);
      } catch (error) {
        reportDropped(name, error);
      }
    }
  });

  const add = (name: string, listener: Listener) => {
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all.add(listener));
  };

  /** A connection on which this fails would receive nothing: it is closed, and the driver opens another one, which is subscribed in turn. */
  const subscribeConnection = (names: Iterable<string>): Promise<unknown> =>
    subscriber.subscribe(...names).catch(() => subscriber.disconnect(true));
  subscriber.on('ready', async () => {
    if (listeners.size > 0) await subscribeConnection(listeners.keys());
    for (const listener of onResubscribed) listener();
  });

  const unsubscribeUnused = () => {
    const names = unused.splice(0).filter((name) => !listeners.has(name));
    if (names.length > 0) subscriber.unsubscribe(...names).catch(() => undefined);
  };

  const unsubscribe = (name: string, listener: Listener) => {
    const all = listeners.get(name);
    if (!all?.delete(listener) || all.size > 0) return;
    listeners.delete(name);
    if (unused.push(name) === 1) setTimeout(unsubscribeUnused, unsubscribeAfterMs).unref();
  };

  return {
    async subscribe(name, listener) {
      add(name, listener);
      try {
        await subscriber.subscribe(name);
      } catch (error) {
        unsubscribe(name, listener);
        throw error;
      }
      return () => unsubscribe(name, listener);
    },
    subscribePermanently(name, listener) {
      add(name, listener);
      if (subscriber.status === 'ready') void subscribeConnection([name]);
    },
    onResubscribed(listener) {
      onResubscribed.add(listener);
      return () => onResubscribed.delete(listener);
    },
    reportDropped,
  };
}
