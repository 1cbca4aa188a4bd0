import { poll } from '../concurrency/poll.ts';
import { findEndedCalls, readCallResult } from '../db/calls/read-call-result.ts';
import type { Database } from '../db/connection/database.ts';
import type { CallStarted, Frame } from '../domain/call-event.ts';
import type { CallResult } from '../domain/call-result.ts';
import type { Log } from '../log.ts';
import type { CallEvents } from '../redis/call-events.ts';
import type { RedisHealth } from '../redis/watch-redis.ts';

/** Receives the events of one call: live from Redis while it is available, and the result from the record at the latest. */
export interface CallSubscriber {
  onEvent(event: Frame | CallStarted): void;
  /** Receives the result from PostgreSQL with its whole message, once. */
  onRecordedResult(result: CallResult): void;
  /** Whether the call is known to be recorded: if it is not any more, it was retracted. */
  isRecorded?(): boolean;
  /** This process shuts down: nothing more is received, and the call goes on. */
  onShutdown(): void;
}

export interface CallSubscriptions {
  /** Resolves with the function that unsubscribes, when nothing that is published from now on can be missed, with or without Redis. */
  subscribe(callId: string, subscriber: CallSubscriber): Promise<() => void>;
  /** Notifies all subscribers, and every later one at once, that this process shuts down. */
  shutDown(): void;
  close(): void;
}

/** An event that Redis lost delays the answer by this long. */
const pollMs = 1_000;
/** While Redis is away every result is found by polling. */
const pollWithoutRedisMs = 200;

/** After an outage many calls may have ended: one after the other they would take longer than their clients wait. */
const readAtOnce = 4;

/** One Redis subscription for each call, and one query a second to PostgreSQL for all of them. */
export function createCallSubscriptions(
  database: Database,
  callEvents: Pick<CallEvents, 'subscribe'>,
  redisHealth: Pick<RedisHealth, 'isUp'>,
  log: Log,
): CallSubscriptions {
  const subscribersByCall = new Map<string, Set<CallSubscriber>>();
  let isShuttingDown = false;

  /** Each subscriber receives the result once and is removed: its client may take as long as it likes to read it. */
  const publishRecorded = (callId: string, result: CallResult) => {
    const subscribers = subscribersByCall.get(callId) ?? [];
    subscribersByCall.delete(callId);
    for (const subscriber of subscribers) subscriber.onRecordedResult(result);
  };

  const publishFromRecord = async (callId: string) =>
    publishRecorded(callId, (await readCallResult(database, callId)) ?? { status: 'retracted' });

  const publishEnded = async () => {
    if (subscribersByCall.size === 0) return;
    try {
      const recorded = [...subscribersByCall].filter(([, all]) => [...all].some((one) => one.isRecorded?.()));
      const awaited = { all: [...subscribersByCall.keys()], recorded: recorded.map(([callId]) => callId) };
      const ended = await findEndedCalls(database, awaited);
      while (ended.length > 0) await Promise.all(ended.splice(0, readAtOnce).map(publishFromRecord));
    } catch (error) {
      log.debug({ err: error }, 'calls: poll failed');
    }
  };
  const polling = poll(publishEnded, () => (redisHealth.isUp() ? pollMs : pollWithoutRedisMs));

  const shutDown = () => {
    isShuttingDown = true;
    for (const subscribers of subscribersByCall.values()) for (const subscriber of subscribers) subscriber.onShutdown();
  };

  return {
    async subscribe(callId, subscriber) {
      const subscribers = subscribersByCall.get(callId) ?? new Set();
      subscribersByCall.set(callId, subscribers.add(subscriber));
      const subscribed = callEvents.subscribe(callId, subscriber.onEvent).catch(() => () => undefined);
      // Without Redis the result comes from the record.
      if (redisHealth.isUp()) await subscribed;
      if (isShuttingDown) subscriber.onShutdown();
      return () => {
        void subscribed.then((unsubscribe) => unsubscribe());
        subscribers.delete(subscriber);
        // After `publishRecorded` the call may have a new set of subscribers.
        if (subscribers.size === 0 && subscribersByCall.get(callId) === subscribers) subscribersByCall.delete(callId);
      };
    },
    shutDown,
    close() {
      shutDown();
      void polling.close();
    },
  };
}
