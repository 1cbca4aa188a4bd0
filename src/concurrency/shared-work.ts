/** Work that is done once for all who wait for it at the same time. */
export interface SharedWork<T> {
  /**
   * Waits for the work of a key, which `start` begins unless it is under way. Rejects with the reason of `signal` when that aborts.
   * The work gets a signal that aborts when nobody waits for it any more.
   */
  join(key: string, start: (ending: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<Joined<T>>;
}

export interface Joined<T> {
  value: T;
  /** The work was begun by another caller. */
  isShared: boolean;
}

interface Waiter<T> {
  resolve(value: T): void;
  reject(reason: unknown): void;
}

interface Work<T> {
  ending: AbortController;
  /** Waiters that have left are removed: a promise would keep the callbacks of each until the end of the work. */
  waiters: Set<Waiter<T>>;
  /** The timer runs while nobody waits. */
  timer?: NodeJS.Timeout;
}

/** `lingerMs`: how long work for which nobody waits goes on, for those who come back. */
export function createSharedWork<T>({ lingerMs = 0 } = {}): SharedWork<T> {
  const underWay = new Map<string, Work<T>>();

  function begin(key: string, start: (ending: AbortSignal) => Promise<T>): Work<T> {
    const work: Work<T> = { ending: new AbortController(), waiters: new Set() };
    underWay.set(key, work);
    const settle = (inform: (waiter: Waiter<T>) => void) => {
      clearTimeout(work.timer);
      if (underWay.get(key) === work) underWay.delete(key);
      for (const waiter of work.waiters) inform(waiter);
    };
    start(work.ending.signal).then(
      (value) => settle(({ resolve }) => resolve(value)),
      (reason: unknown) => settle(({ reject }) => reject(reason)),
    );
    return work;
  }

  function abandon(key: string, work: Work<T>): void {
    if (underWay.get(key) === work) underWay.delete(key);
    work.ending.abort();
  }

  function leave(key: string, work: Work<T>, waiter: Waiter<T>): void {
    work.waiters.delete(waiter);
    if (work.waiters.size > 0 || underWay.get(key) !== work) return;
    if (lingerMs === 0) abandon(key, work);
    else work.timer = setTimeout(() => abandon(key, work), lingerMs).unref();
  }

  return {
    async join(key, start, signal) {
      signal.throwIfAborted();
      const found = underWay.get(key);
      const work = found ?? begin(key, start);
      clearTimeout(work.timer);
      const { promise, ...waiter } = Promise.withResolvers<T>();
      work.waiters.add(waiter);
      const abort = () => {
        leave(key, work, waiter);
        waiter.reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        return { value: await promise, isShared: found !== undefined };
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
