/** Sums of weights, but `waiting`, which counts works. */
export interface SemaphoreLimits {
  /** Runs at once for one key. */
  perKey: number;
  /** Runs at once for all keys together. No limit if left out. */
  total?: number;
  /** Works of all keys that may wait. No limit if left out. */
  waiting?: number;
  /** How long a work may wait. No limit if left out. */
  longestWaitMs?: number;
  /** A work that took t ms keeps its place for `rest` × t ms more, which leaves that time to other keys. */
  rest?: number;
}

export interface WorkOptions {
  /** 1 if left out; at most a whole limit is counted. */
  weight?: number;
  /** When it aborts, work that still waits is dropped and rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Too many works are waiting already. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many works are waiting');
    this.name = 'TooManyWaiting';
  }
}

/** The work has waited for too long. */
export class WaitedTooLong extends Error {
  constructor() {
    super('the work has waited for too long');
    this.name = 'WaitedTooLong';
  }
}

/**
 * Bounds how much work runs at once, and shares that fairly: keys take turns, and the works of one key start in the order in
 * which they came. Where too many wait, the key with the most of them loses its latest, so that no key keeps the others out.
 */
export interface FairSemaphore {
  /** Resolves when the work may start, with what ends it. Rejects with one of the errors above or with the signal's reason. */
  acquire(key: string, options?: WorkOptions): Promise<Release>;
  /** Acquires, works, releases. Rejects as `acquire` or as `work` does. */
  run<T>(key: string, work: () => Promise<T>, options?: WorkOptions): Promise<T>;
  /** Rejects all waiting works of the key. */
  refuseWaiting(key: string, reason: unknown): void;
}

/** The second call of it does nothing. */
export type Release = () => void;

interface Waiter {
  weight: number;
  start(): void;
  refuse(reason: unknown): void;
}

/** The works of one key. */
interface Lane {
  key: string;
  running: number;
  waiting: Waiter[];
}

/** Shorter work needs no rest: others do not notice it, and a timer for each would cost more. */
const noticeableMs = 5;

export function createFairSemaphore(limits: SemaphoreLimits): FairSemaphore {
  const { perKey, longestWaitMs, rest = 0 } = limits;
  const { total = Number.POSITIVE_INFINITY, waiting: mostWaiting = Number.POSITIVE_INFINITY } = limits;
  const heaviest = Math.min(perKey, total);
  const lanes = new Map<string, Lane>();
  /** The lanes with waiting works, the next one to have a turn first. */
  const turns = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;

  function take(lane: Lane, weight: number): void {
    lane.running += weight;
    running += weight;
  }

  function remove(lane: Lane, waiter: Waiter): void {
    lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
    waiting -= 1;
    if (lane.waiting.length === 0) turns.delete(lane.key);
  }

  /** A heavy work whose turn has come keeps the lanes behind it waiting: lighter ones would else go first for ever. */
  function startWaiting(): void {
    for (const [key, lane] of turns) {
      const first = lane.waiting[0]!;
      if (lane.running + first.weight > perKey) continue;
      if (running + first.weight > total) return;
      remove(lane, first);
      take(lane, first.weight);
      // To the end of the turns, where this loop comes to it again.
      if (turns.delete(key)) turns.set(key, lane);
      first.start();
    }
  }

  /** The lane with the most waiting works; `own` where others have no more. */
  function longestOf(own: Lane): Lane {
    let longest = own;
    for (const lane of turns.values()) if (lane.waiting.length > longest.waiting.length) longest = lane;
    return longest;
  }

  function turnOf(lane: Lane, weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const drop = (reason: unknown) => {
        waiter.refuse(reason);
        startWaiting();
      };
      const abort = () => drop(signal!.reason);
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        weight,
        start() {
          stopWaiting();
          resolve();
        },
        refuse(reason) {
          stopWaiting();
          remove(lane, waiter);
          reject(reason);
        },
      };
      lane.waiting.push(waiter);
      waiting += 1;
      turns.set(lane.key, lane);
      startWaiting();
      if (waiting > mostWaiting) longestOf(lane).waiting.at(-1)!.refuse(new TooManyWaiting());
      if (!lane.waiting.includes(waiter)) return;
      signal?.addEventListener('abort', abort, { once: true });
      if (longestWaitMs !== undefined) timer = setTimeout(() => drop(new WaitedTooLong()), longestWaitMs);
    });
  }

  function leave(lane: Lane, weight: number): void {
    take(lane, -weight);
    startWaiting();
    deleteIdle(lane);
  }

  function deleteIdle({ key, running: held, waiting: { length } }: Lane): void {
    if (held === 0 && length === 0) lanes.delete(key);
  }

  async function acquire(key: string, { weight: given = 1, signal }: WorkOptions = {}): Promise<Release> {
    signal?.throwIfAborted();
    const weight = Math.min(given, heaviest);
    const lane = lanes.get(key) ?? { key, running: 0, waiting: [] };
    lanes.set(key, lane);
    await turnOf(lane, weight, signal).finally(() => deleteIdle(lane));
    const startedAt = performance.now();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const tookMs = performance.now() - startedAt;
      if (rest === 0 || tookMs < noticeableMs) leave(lane, weight);
      else setTimeout(() => leave(lane, weight), rest * tookMs).unref();
    };
  }

  return {
    acquire,
    refuseWaiting(key, reason) {
      for (const waiter of [...(turns.get(key)?.waiting ?? [])]) waiter.refuse(reason);
      startWaiting();
    },
    async run(key, work, options) {
      const release = await acquire(key, options);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
