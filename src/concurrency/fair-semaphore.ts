/** Limits of the sum of weights; `waiting` alone limits the number of tasks. */
export interface SemaphoreLimits {
  /** What runs at once for one key. */
  perKey: number;
  /** What runs at once for all keys together. No limit if absent. */
  total?: number;
  /** How many tasks of all keys may wait. No limit if absent. */
  waiting?: number;
  /** How long a task may wait. No limit if absent. */
  maxWaitMs?: number;
  /**
   * A task that took t ms occupies the place of its key, not one of `total`, for `rest` × t ms more, two seconds at most. In that time
   * other keys run.
   */
  rest?: number;
}

export interface TaskOptions {
  /** The default is 1; at most a whole limit is counted. */
  weight?: number;
  /** When it aborts, a task that still waits is removed and rejects with the signal's reason. */
  signal?: AbortSignal;
  /** The same, but it does not matter to a task that need not wait. */
  waitSignal?: AbortSignal;
}

/** Too many tasks are waiting already. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many tasks are waiting');
    this.name = 'TooManyWaiting';
  }
}

/** The task has waited for too long. */
export class WaitedTooLong extends Error {
  constructor() {
    super('the task has waited for too long');
    this.name = 'WaitedTooLong';
  }
}

/**
 * Limits how many tasks run at once, fairly: keys take turns, and the tasks of one key start in the order in which they came.
 * If too many wait, the newest task of the key with the most of them is rejected, so that no key excludes the others.
 */
export interface FairSemaphore {
  /** Resolves when the task may start. Rejects with one of the errors above or with the signal's reason. */
  acquire(key: string, options?: TaskOptions): Promise<Release>;
  /** Acquires, runs the task, releases. Rejects as `acquire` or as `task` does. */
  run<T>(key: string, task: () => Promise<T>, options?: TaskOptions): Promise<T>;
  /** Rejects all waiting tasks of the key. */
  rejectWaiting(key: string, reason: unknown): void;
}

/** Ends the task. A second call does nothing. */
export type Release = () => void;

interface Waiter {
  weight: number;
  start(): void;
  reject(reason: unknown): void;
}

/** The tasks of one key. */
interface Lane {
  key: string;
  running: number;
  waiting: Waiter[];
}

/** A longer rest would refuse what its key sends meanwhile, after a single task that had to wait for something. */
const maxRestMs = 2_000;

/** A task shorter than this needs no rest: other keys do not notice it, and a timer for each would cost more. */
const minRestedMs = 5;

export function createFairSemaphore(limits: SemaphoreLimits): FairSemaphore {
  const { perKey, maxWaitMs, rest = 0 } = limits;
  const { total = Number.POSITIVE_INFINITY, waiting: maxWaiting = Number.POSITIVE_INFINITY } = limits;
  const heaviest = Math.min(perKey, total);
  const lanes = new Map<string, Lane>();
  /** The lanes with waiting tasks, in the order of their turns. */
  const turns = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;

  function occupy(lane: Lane, weight: number): void {
    lane.running += weight;
    running += weight;
  }

  function remove(lane: Lane, waiter: Waiter): void {
    lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
    waiting -= 1;
    if (lane.waiting.length === 0) turns.delete(lane.key);
  }

  /** A heavy task whose turn has come blocks the lanes behind it: otherwise lighter tasks could overtake it for ever. */
  function startWaiting(): void {
    for (const [key, lane] of turns) {
      const first = lane.waiting[0]!;
      if (lane.running + first.weight > perKey) continue;
      if (running + first.weight > total) return;
      remove(lane, first);
      occupy(lane, first.weight);
      // The key goes to the end of the turns, which this loop still reaches.
      if (turns.delete(key)) turns.set(key, lane);
      first.start();
    }
  }

  /** The lane with the most waiting tasks; `own` if no other has more. */
  function findLongest(own: Lane): Lane {
    let longest = own;
    for (const lane of turns.values()) if (lane.waiting.length > longest.waiting.length) longest = lane;
    return longest;
  }

  function waitForTurn(lane: Lane, weight: number, signals: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const removeWaiter = (reason: unknown) => {
        waiter.reject(reason);
        startWaiting();
      };
      const abort = () => removeWaiter(signals.find(({ aborted }) => aborted)!.reason);
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        weight,
        start() {
          stopWaiting();
          resolve();
        },
        reject(reason) {
          stopWaiting();
          remove(lane, waiter);
          reject(reason);
        },
      };
      lane.waiting.push(waiter);
      waiting += 1;
      turns.set(lane.key, lane);
      startWaiting();
      if (waiting > maxWaiting) findLongest(lane).waiting.at(-1)!.reject(new TooManyWaiting());
      if (!lane.waiting.includes(waiter)) return;
      if (signals.some(({ aborted }) => aborted)) return abort();
      for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
      if (maxWaitMs !== undefined) timer = setTimeout(() => removeWaiter(new WaitedTooLong()), maxWaitMs);
    });
  }

  /** The task has ended: at once for all keys, and after a rest for its own. */
  function vacate(lane: Lane, weight: number, restMs: number): void {
    running -= weight;
    if (restMs === 0) {
      vacateLane(lane, weight);
      return;
    }
    setTimeout(() => vacateLane(lane, weight), restMs).unref();
    startWaiting();
  }

  function vacateLane(lane: Lane, weight: number): void {
    lane.running -= weight;
    startWaiting();
    deleteIdle(lane);
  }

  function deleteIdle({ key, running: held, waiting: { length } }: Lane): void {
    if (held === 0 && length === 0) lanes.delete(key);
  }

  async function acquire(
    key: string,
    { weight: requested = 1, signal, waitSignal }: TaskOptions = {},
  ): Promise<Release> {
    signal?.throwIfAborted();
    const signals = [signal, waitSignal].filter((one) => one !== undefined);
    const weight = Math.min(requested, heaviest);
    const lane = lanes.get(key) ?? { key, running: 0, waiting: [] };
    lanes.set(key, lane);
    await waitForTurn(lane, weight, signals).finally(() => deleteIdle(lane));
    const startedAt = performance.now();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const tookMs = performance.now() - startedAt;
      vacate(lane, weight, tookMs < minRestedMs ? 0 : Math.min(rest * tookMs, maxRestMs));
    };
  }

  return {
    acquire,
    rejectWaiting(key, reason) {
      for (const waiter of [...(turns.get(key)?.waiting ?? [])]) waiter.reject(reason);
      startWaiting();
    },
    async run(key, task, options) {
      const release = await acquire(key, options);
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}
