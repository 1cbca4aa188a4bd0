import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { LimitState } from '../../errors.ts';
import type { RedisConnections } from '../connection.ts';
import type { RedisHealth } from '../watch-redis.ts';
import type { LimitUse, TakeResult } from './counters.ts';
import { createExhaustedCounters, createLocalCounters } from './local-counters.ts';
import { createSharedCounters } from './shared-counters.ts';

export interface Taken extends TakeResult {
  /**
   * Corrects a use by the difference to what was really used. More counts in the current window; less is returned only to the
   * window that it was taken from. Never rejects: the effect of a lost correction ends with the window.
   */
  correct(use: LimitUse, amount: number): void;
}

export interface RateLimits {
  /** Takes all of the uses or none: of counters that all processes share, or of this process's own while Redis is unavailable. */
  take(uses: readonly LimitUse[]): Promise<Taken>;
  /** The state of the use's counter as far as this process has taken of it. Takes nothing, without a round trip. */
  stateHere(use: LimitUse): LimitState;
  /** The state of the use's counter if this process knows that nothing remains of it. Takes nothing, without a round trip. */
  exhausted(use: LimitUse): LimitState | undefined;
  /** What all processes have used of each counter; undefined while Redis is unavailable. Takes nothing. */
  used(uses: readonly LimitUse[]): Promise<number[] | undefined>;
  close(): void;
}

/** How long a frozen Redis delays a request, once. */
const timeoutMs = 300;
/** Redis is not used for so long after a failure: longer than `RedisHealth` takes to notice an outage. */
const cooldownMs = 2_000;

/** `sentAt`: the time before the uses were taken. A window that is measured from the reply would seem to end later than it does. */
function correctable(
  result: TakeResult,
  uses: readonly LimitUse[],
  sentAt: number,
  add: (use: LimitUse, amount: number) => void,
): Taken {
  const endsAt = new Map(uses.map((use, index) => [use, sentAt + result.states[index]!.resetMs]));
  return {
    ...result,
    correct(use, amount) {
      const isOver = Date.now() >= (endsAt.get(use) ?? 0);
      if (amount > 0 || (amount < 0 && !isOver)) add(use, amount);
    },
  };
}

/** `installation` separates installations that share a Redis. */
export function createRateLimits(
  { open, reportDropped }: RedisConnections,
  health: RedisHealth,
  installation: string,
): RateLimits {
  // A connection of its own, for a timeout of its own: that of `commands` also expires when only this process is busy.
  const redis = open('limits', { commandTimeout: undefined });
  const shared = createSharedCounters(redis, installation, reportDropped);
  const local = createLocalCounters();
  const exhausted = createExhaustedCounters();
  let cooldownUntil = 0;

  const addShared = (use: LimitUse, amount: number) => {
    shared.add(use, amount).catch(() => undefined);
    local.addSynced(use, amount);
  };

  function withExhausted(taken: Taken, uses: readonly LimitUse[]): Taken {
    for (const [index, use] of uses.entries()) exhausted.record(use, taken.states[index]!);
    return {
      ...taken,
      correct(use, amount) {
        if (amount < 0) exhausted.delete(use);
        taken.correct(use, amount);
      },
    };
  }

  /** First adds to Redis what was taken without it. What is taken in Redis is also counted in this process, for the next outage. */
  async function takeShared(uses: readonly LimitUse[]): Promise<Taken> {
    for (const use of uses) {
      const unsynced = local.takeUnsynced(use);
      if (unsynced > 0) shared.add(use, unsynced).catch(() => undefined);
    }
    const sentAt = Date.now();
    const result = await withTimeout(shared.take(uses), timeoutMs);
    if (result.refusedBy === undefined) for (const use of uses) local.addSynced(use, use.cost);
    return correctable(result, uses, sentAt, addShared);
  }

  const takeLocal = async (uses: readonly LimitUse[]) =>
    correctable(await local.take(uses), uses, Date.now(), (use, amount) => void local.add(use, amount));

  const isAvailable = () => redis.status === 'ready' && health.isUp() && Date.now() >= cooldownUntil;

  async function takeAvailable(uses: readonly LimitUse[]): Promise<Taken> {
    if (!isAvailable()) return takeLocal(uses);
    try {
      return await takeShared(uses);
    } catch {
      cooldownUntil = Date.now() + cooldownMs;
      const taken = await takeLocal(uses);
      // The uses were sent and may still count in Redis, so they are not sent again.
      for (const use of uses) local.takeUnsynced(use);
      return taken;
    }
  }

  return {
    take: async (uses) => withExhausted(await takeAvailable(uses), uses),
    stateHere: local.state,
    exhausted: (use) => exhausted.get(use),
    used: async (uses) =>
      isAvailable() ? withTimeout(shared.used(uses), timeoutMs).catch(() => undefined) : undefined,
    close: () => redis.disconnect(),
  };
}
