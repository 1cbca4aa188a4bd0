import type { Redis } from 'ioredis';
import { z } from 'zod';
import { Changes } from '../contracts/events.ts';
import { type ChangeKind, type ChangeSet, GatheredChanges } from '../domain/changes.ts';
import { channel } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

type ItemOf<K extends ChangeKind> = NonNullable<ChangeSet[K]>[number];

/**
 * Publishes what this process has changed, for open consoles. Changes are gathered in memory and published together, beside the work
 * that made them: a call costs no command of its own. Delivery is not guaranteed: a reader that needs certainty reads
 * the record.
 */
export interface ChangePublisher {
  publish<K extends ChangeKind>(kind: K, item: ItemOf<K>): void;
  /** Publishes what is gathered. */
  close(): Promise<void>;
}

/** A person does not notice so short a time. */
const gatherMs = 50;
/** One message has so many changes. */
const maxChanges = 500;
/** The characters of a message: the longest of this service has 500 ids of teams with 255 characters, escaped. */
const maxMessageCharacters = 1_048_576;

/** `has_gap`: changes before these could not be published. */
const Message = z.object({ changes: Changes, has_gap: z.boolean() });

export function createChangePublisher(commands: Redis, installation: string): ChangePublisher {
  const name = channel.changes(installation);
  const gathered = new GatheredChanges();
  let hasGap = false;
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size === 0) return;
    const message = { changes: gathered.take(), has_gap: hasGap };
    hasGap = false;
    try {
      await commands.publish(name, JSON.stringify(message));
    } catch {
      hasGap = true;
    }
  }

  return {
    publish(kind, item) {
      gathered.add(kind, item);
      if (gathered.size >= maxChanges) void send();
      else timer ??= setTimeout(send, gatherMs).unref();
    },
    close: send,
  };
}

export interface ChangeListener {
  onChanges(changes: ChangeSet): void;
  /** Changes may have been missed. */
  onGap(): void;
}

/** Resolves with the function that unsubscribes, when everything that is published from now on will be received. */
export type SubscribeToChanges = (listener: ChangeListener) => Promise<() => void>;

const parse = (text: string): z.output<typeof Message> | undefined => {
  if (text.length > maxMessageCharacters) return undefined;
  try {
    return Message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** Rejects when Redis is unavailable. */
export const subscribeToChanges =
  (channels: PubSub, installation: string): SubscribeToChanges =>
  async ({ onChanges, onGap }) => {
    const name = channel.changes(installation);
    const stopWatching = channels.onResubscribed(onGap);
    try {
      const unsubscribe = await channels.subscribe(name, (text) => {
        const message = parse(text);
        if (!message) return channels.reportDropped(name);
        if (message.has_gap) onGap();
        onChanges(message.changes);
      });
      return () => {
        stopWatching();
        unsubscribe();
      };
    } catch (error) {
      stopWatching();
      throw error;
    }
  };
