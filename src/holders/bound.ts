import {
  createFairSemaphore,
  type Release,
  type SemaphoreLimits,
  type TaskOptions,
  TooManyWaiting,
  WaitedTooLong,
} from '../concurrency/fair-semaphore.ts';
import { refuseByBound, Unavailable } from '../errors.ts';
import { type Holder, type HolderKind, kindOf } from './holder.ts';

export interface BoundLimits extends SemaphoreLimits {
  /** What a 429 names: the setting or the field that holds the figure. */
  name: string;
}

/**
 * What one holder, and all holders together, may have at once of one thing. What is above it waits, and holders take turns. Where too
 * much waits it is refused with 429, and what has waited for too long with 503.
 */
export interface Bound {
  acquire(holder: Holder, options?: TaskOptions): Promise<Release>;
  run<T>(holder: Holder, work: () => Promise<T>, options?: TaskOptions): Promise<T>;
  /** Refuses all waiting work of the holder. */
  rejectWaiting(holder: Holder, reason: unknown): void;
}

/** `perKind`: holders of these kinds have a total and a share of their own. */
export function createBound(limits: BoundLimits, perKind: Partial<Record<HolderKind, BoundLimits>> = {}): Bound {
  const common = refusing(limits);
  const own = new Map(Object.entries(perKind).map(([kind, one]) => [kind, refusing(one)]));
  const of = (holder: Holder) => own.get(kindOf(holder)) ?? common;
  return {
    acquire: (holder, options) => of(holder).acquire(holder, options),
    run: (holder, work, options) => of(holder).run(holder, work, options),
    rejectWaiting: (holder, reason) => of(holder).rejectWaiting(holder, reason),
  };
}

/** The semaphore, with 429 for work that finds too much waiting, and 503 for work that has waited for too long. */
function refusing({ name, ...limits }: BoundLimits): Bound {
  const semaphore = createFairSemaphore(limits);
  const refuseExcess = (error: unknown): never => {
    if (error instanceof WaitedTooLong) throw new Unavailable('place', { cause: error });
    if (!(error instanceof TooManyWaiting)) throw error;
    throw refuseByBound(name, limits.perKey);
  };
  return {
    acquire: (holder, options) => semaphore.acquire(holder, options).catch(refuseExcess),
    run: (holder, work, options) => semaphore.run(holder, work, options).catch(refuseExcess),
    rejectWaiting: semaphore.rejectWaiting,
  };
}
