import { poll } from '../concurrency/poll.ts';
import { findStopRequests } from '../db/calls/request-stop.ts';
import type { Database } from '../db/connection/database.ts';
import type { Log } from '../log.ts';
import type { PubSub } from '../redis/pubsub.ts';
import { subscribeToStops } from '../redis/stops.ts';
import type { RedisHealth } from '../redis/watch-redis.ts';

/** The stop of a call that this worker runs. */
export interface StopSubscription {
  /** Aborts when it is requested from now on. What was requested before comes with the start of the call. */
  signal: AbortSignal;
  unsubscribe(): void;
}

export interface StopRequests {
  subscribe(callId: string): StopSubscription;
  close(): void;
}

/** With the second after which Redis is known to be away, a stop is found well within three. */
const pollMs = 500;

/**
 * The requests to stop the calls that this worker runs. They are in the record, which is read when Redis has a notice about one of the
 * calls, because a stopped call counts as succeeded and Redis is trusted with nothing that is charged (decision 114). While Redis is away it is read
 * by one query for all of them.
 */
export function createStopRequests(
  database: Database,
  channels: PubSub,
  redisHealth: Pick<RedisHealth, 'isUp'>,
  log: Log,
): StopRequests {
  const running = new Map<string, Set<AbortController>>();
  const readRecord = async (callIds: readonly string[]) => {
    try {
      for (const callId of await findStopRequests(database, callIds))
        for (const subscription of running.get(callId) ?? []) subscription.abort();
    } catch (error) {
      log.debug({ err: error }, 'stops: read failed');
    }
  };
  subscribeToStops(channels, (callId) => {
    if (running.has(callId)) void readRecord([callId]);
  });
  const polling = poll(async () => {
    if (running.size > 0 && !redisHealth.isUp()) await readRecord([...running.keys()]);
  }, pollMs);

  return {
    subscribe(callId) {
      const subscription = new AbortController();
      const all = running.get(callId) ?? new Set();
      running.set(callId, all.add(subscription));
      return {
        signal: subscription.signal,
        unsubscribe() {
          all.delete(subscription);
          if (all.size === 0 && running.get(callId) === all) running.delete(callId);
        },
      };
    },
    close: () => void polling.close(),
  };
}
