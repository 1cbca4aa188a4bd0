import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type ChangeSet, GatheredChanges } from '../../domain/changes.ts';
import { Unavailable } from '../../errors.ts';
import type { SubscribeToChanges } from '../../redis/change-channel.ts';
import type { RedisHealth } from '../../redis/watch-redis.ts';

/** The changes of a quarter of a second. Null: changes may have been missed. */
export interface Batch {
  id: string;
  changes: ChangeSet | null;
}

export interface FeedReader {
  /** Nothing is missing since the id that the reader gave. */
  isComplete: boolean;
  /** The id to go on from when no batch has come yet. */
  id: string;
  /** What comes from now on, until `signal` aborts. */
  batches(signal: AbortSignal): AsyncGenerator<Batch>;
}

/** The changes that all processes publish, for the streams of this api. It subscribes once for all of them, while there are any. */
export interface ChangeFeed {
  /** `lastId`: of the last batch that the reader has. Throws `Unavailable` without Redis. */
  open(lastId: string | undefined): Promise<FeedReader>;
  close(): void;
}

const times = {
  gatherMs: 250,
  /** The subscription lasts so long after the last reader has left, so that one which reconnects misses nothing. */
  lingerMs: 60_000,
  healthMs: 1_000,
};
/** A minute of batches, for readers that are slow or reconnect. */
const maxKeptBatches = 240;

export function createChangeFeed(
  subscribe: SubscribeToChanges,
  redisHealth: Pick<RedisHealth, 'isUp'>,
  { gatherMs, lingerMs, healthMs } = times,
): ChangeFeed {
  const pushed = new EventEmitter().setMaxListeners(0);
  const gathered = new GatheredChanges();
  let gathering: NodeJS.Timeout | undefined;
  let lingering: NodeJS.Timeout | undefined;
  let subscribed: Promise<() => void> | undefined;
  let outage = new AbortController();
  let readers = 0;
  /** The epoch of this subscription: ids of another one do not show what was missed. */
  let epoch = '';
  let newest = 0;
  let kept: (Batch & { number: number })[] = [];

  const idOf = (number: number): string => `${epoch}.${number}`;

  function push(changes: ChangeSet | null): void {
    newest += 1;
    kept.push({ number: newest, id: idOf(newest), changes });
    if (kept.length > maxKeptBatches) kept.shift();
    pushed.emit('batch');
  }

  function pushGathered(): void {
    clearTimeout(gathering);
    gathering = undefined;
    if (gathered.size > 0) push(gathered.take());
  }

  const listener = {
    onChanges(changes: ChangeSet) {
      gathered.addAll(changes);
      gathering ??= setTimeout(pushGathered, gatherMs).unref();
    },
    onGap() {
      pushGathered();
      push(null);
    },
  };

  function unsubscribe(): void {
    void subscribed?.then(
      (end) => end(),
      () => undefined,
    );
    subscribed = undefined;
    gathered.take();
    kept = [];
  }

  async function ensureSubscribed(): Promise<void> {
    if (!subscribed) {
      epoch = randomBytes(6).toString('base64url');
      newest = 0;
      subscribed = subscribe(listener);
    }
    const current = subscribed;
    await current.catch((error: unknown) => {
      if (subscribed === current) subscribed = undefined;
      throw new Unavailable('redis', { cause: error });
    });
  }

  function endLater(): void {
    clearTimeout(lingering);
    lingering = setTimeout(() => readers === 0 && unsubscribe(), lingerMs).unref();
  }

  /** Without Redis nothing would come, and a page that has no stream reads again from time to time. */
  const health = setInterval(() => {
    if (readers === 0 || redisHealth.isUp()) return;
    push(null);
    outage.abort();
    outage = new AbortController();
  }, healthMs).unref();

  /** The number that the reader goes on from; undefined: not everything since then is kept. */
  function findNumber(id: string): number | undefined {
    const number = Number(id.slice(epoch.length + 1));
    const oldest = kept[0]?.number ?? newest + 1;
    const isKept = id === idOf(number) && number >= oldest - 1 && number <= newest;
    return isKept ? number : undefined;
  }

  async function* batchesAfter(start: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const ended = AbortSignal.any([signal, outage.signal]);
    let position = start;
    readers += 1;
    try {
      while (!ended.aborted) {
        const oldest = kept[0]?.number ?? newest + 1;
        const next = kept[position + 1 - oldest];
        if (position + 1 < oldest) {
          position = newest;
          yield { id: idOf(position), changes: null };
        } else if (next) {
          position = next.number;
          yield next;
        } else await once(pushed, 'batch', { signal: ended }).catch(() => undefined);
      }
    } finally {
      readers -= 1;
      if (readers === 0) endLater();
    }
  }

  return {
    async open(lastId) {
      if (!redisHealth.isUp()) throw new Unavailable('redis');
      await ensureSubscribed();
      endLater();
      const number = lastId === undefined ? newest : findNumber(lastId);
      const start = number ?? newest;
      return {
        isComplete: number !== undefined,
        id: idOf(start),
        batches: (signal) => batchesAfter(start, signal),
      };
    },
    close() {
      clearInterval(health);
      clearTimeout(lingering);
      clearTimeout(gathering);
      outage.abort();
      unsubscribe();
    },
  };
}
