import type { RedisConnections } from './connection.ts';
import type { ReportDropped } from './dropped-messages.ts';

/** PubSub without a listener are unsubscribed together, this long after the first: a command costs more than a channel. */
const leftWithinMs = 100;

type Listener = (text: string) => void;

/**
 * The listeners of each channel. A new connection is subscribed to all channels here: the driver's own way would end the
 * process when Redis does not answer that.
 */
export interface PubSub {
  /** Resolves when everything published from now on will be heard; rejects when Redis is away. */
  subscribe(name: string, listener: Listener): Promise<() => void>;
  /** Listens for good, as soon as Redis is there. */
  subscribePermanently(name: string, listener: Listener): void;
  /** For a listener whose message is not what is published on its channel. */
  reportDropped: ReportDropped;
}

export function createPubSub({
  subscriber,
  reportDropped,
}: Pick<RedisConnections, 'subscriber' | 'reportDropped'>): PubSub {
  const listeners = new Map<string, Set<Listener>>();
  const quiet: string[] = [];

  subscriber.on('message', (name: string, text: string) => {
    for (const listener of listeners.get(name) ?? []) {
      // What is thrown here would end the process.
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

  /**
   * A connection that could not be subscribed hears nothing: it is dropped, and the driver makes another one, which is
   * subscribed in its turn.
   */
  const subscribe = (names: Iterable<string>) =>
    void subscriber.subscribe(...names).catch(() => subscriber.disconnect(true));
  subscriber.on('ready', () => {
    if (listeners.size > 0) subscribe(listeners.keys());
  });

  const leaveQuiet = () => {
    const names = quiet.splice(0).filter((name) => !listeners.has(name));
    if (names.length > 0) subscriber.unsubscribe(...names).catch(() => undefined);
  };

  const leave = (name: string, listener: Listener) => {
    const all = listeners.get(name);
    if (!all?.delete(listener) || all.size > 0) return;
    listeners.delete(name);
    if (quiet.push(name) === 1) setTimeout(leaveQuiet, leftWithinMs).unref();
  };

  return {
    async subscribe(name, listener) {
      add(name, listener);
      try {
        await subscriber.subscribe(name);
      } catch (error) {
        leave(name, listener);
        throw error;
      }
      return () => leave(name, listener);
    },
    subscribePermanently(name, listener) {
      add(name, listener);
      if (subscriber.status === 'ready') subscribe([name]);
    },
    reportDropped,
  };
}
