import { endedCalls, readCallEnd } from '../db/calls/read-call-end.ts';
import type { Database } from '../db/connection/database.ts';
import type { CallStarted, Frame } from '../domain/call-event.ts';
import type { CallEnd } from '../domain/call-result.ts';
import type { RedisHealth } from '../liveness/redis-watch.ts';
import type { Log } from '../log.ts';
import type { CallEvents } from '../redis/call-events.ts';

/** What a watcher of a call is told: frames while Redis carries them, and the end from the record at the latest. */
export interface Watcher {
  frame(said: Frame | CallStarted): void;
  /** From PostgreSQL, with the whole message; once. */
  recorded(end: CallEnd): void;
  /** This process shuts down: the watcher is told nothing more, and the call goes on. */
  leaving(): void;
}

export interface CallSubscriptions {
  /** Resolves when nothing that is published from now on can be missed, whether Redis is there or not. */
  watch(callId: string, watcher: Watcher): Promise<() => void>;
  /** Tells all watchers, and every later one at once, that this process shuts down. */
  leave(): void;
  close(): void;
}

/** A message that Redis lost delays the answer by this long. */
const pollMs = 1_000;
/** Every end comes this way while Redis is away. */
const pollAloneMs = 200;

/** One subscription for each call, and one query a second to PostgreSQL for all watched calls. */
export function createCallSubscriptions(
  database: Database,
  frames: CallEvents,
  redisHealth: Pick<RedisHealth, 'isUp'>,
  log: Log,
): CallSubscriptions {
  const waiting = new Map<string, Set<Watcher>>();
  let left = false;

  /** Tells each watcher once and forgets it: one whose client does not read may stay for as long as it likes. */
  const tell = (callId: string, end: CallEnd) => {
    const watchers = waiting.get(callId) ?? [];
    waiting.delete(callId);
    for (const watcher of watchers) watcher.recorded(end);
  };

  const poll = async () => {
    if (waiting.size === 0) return;
    try {
      for (const callId of await endedCalls(database, [...waiting.keys()])) {
        const end = await readCallEnd(database, callId);
        if (end) tell(callId, end);
      }
    } catch (error) {
      log.debug({ err: error }, 'calls could not be polled');
    }
  };
  let closed = false;
  let timer: NodeJS.Timeout;
  const pollLater = () => {
    if (closed) return;
    timer = setTimeout(() => void poll().finally(pollLater), redisHealth.isUp() ? pollMs : pollAloneMs);
    timer.unref();
  };
  pollLater();

  const leave = () => {
    left = true;
    for (const watchers of waiting.values()) for (const watcher of watchers) watcher.leaving();
  };

  return {
    async watch(callId, watcher) {
      const watchers = waiting.get(callId) ?? new Set();
      waiting.set(callId, watchers.add(watcher));
      const subscribed = frames.subscribe(callId, watcher.frame).catch(() => () => undefined);
      // While Redis is away, every end comes from the record.
      if (redisHealth.isUp()) await subscribed;
      if (left) watcher.leaving();
      return () => {
        void subscribed.then((unsubscribe) => unsubscribe());
        watchers.delete(watcher);
        // New watchers may have come since these were told.
        if (watchers.size === 0 && waiting.get(callId) === watchers) waiting.delete(callId);
      };
    },
    leave,
    close() {
      leave();
      closed = true;
      clearTimeout(timer);
    },
  };
}
