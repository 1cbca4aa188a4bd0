import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { LimitStanding } from '../../errors.ts';
import type { RedisConnections } from '../connection.ts';
import type { RedisHealth } from '../watch-redis.ts';
import type { Draw, Drawn } from './counters.ts';
import { createExhaustedCounters, createLocalCounters } from './local-counters.ts';
import { createSharedCounters } from './shared-counters.ts';

export interface Taken extends Drawn {
  /**
   * Corrects a draw by the difference to what was really used. More counts in the current window; less is returned only to the
   * window that it was taken from. Never rejects: the effect of a lost correction ends with the window.
   */
  correct(draw: Draw, amount: number): void;
}

export interface RateLimits {
  /** Takes all of the draws or none: of counters that all processes share, or of this process's own while Redis is unavailable. */
  take(draws: readonly Draw[]): Promise<Taken>;
  /** The state of the draw's counter as far as this process has drawn on it. Takes nothing, without a round trip. */
  drawnHere(draw: Draw): LimitStanding;
  /** The state of the draw's counter if this process knows that nothing remains of it. Takes nothing, without a round trip. */
  exhausted(draw: Draw): LimitStanding | undefined;
  /** What all processes have used of each draw's counter; undefined while Redis is unavailable. Takes nothing. */
  used(draws: readonly Draw[]): Promise<number[] | undefined>;
  close(): void;
}

/** How long a frozen Redis delays a request, once. */
const timeoutMs = 300;
/** For so long after a failure Redis is not used: longer than `RedisHealth` takes to notice an outage. */
const cooldownMs = 2_000;

/** `sentAt`: before the draws were taken. A window that is measured from the reply would seem to end later than it does. */
function correctable(
  drawn: Drawn,
  draws: readonly Draw[],
  sentAt: number,
  add: (draw: Draw, amount: number) => void,
): Taken {
  const endsAt = new Map(draws.map((draw, index) => [draw, sentAt + drawn.standings[index]!.resetMs]));
  return {
    ...drawn,
    correct(draw, amount) {
      const isOver = Date.now() >= (endsAt.get(draw) ?? 0);
      if (amount > 0 || (amount < 0 && !isOver)) add(draw, amount);
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

  const addShared = (draw: Draw, amount: number) => {
    shared.add(draw, amount).catch(() => undefined);
    local.addSynced(draw, amount);
  };

  function withExhausted(taken: Taken, draws: readonly Draw[]): Taken {
    for (const [index, draw] of draws.entries()) exhausted.record(draw, taken.standings[index]!);
    return {
      ...taken,
      correct(draw, amount) {
        if (amount < 0) exhausted.delete(draw);
        taken.correct(draw, amount);
      },
    };
  }

  /** First adds to Redis what was taken without it. What is taken in Redis is also counted in this process, for the next outage. */
  async function takeShared(draws: readonly Draw[]): Promise<Taken> {
    for (const draw of draws) {
      const unsynced = local.takeUnsynced(draw);
      if (unsynced > 0) shared.add(draw, unsynced).catch(() => undefined);
    }
    const sentAt = Date.now();
    const drawn = await withTimeout(shared.take(draws), timeoutMs);
    if (drawn.refusedBy === undefined) for (const draw of draws) local.addSynced(draw, draw.cost);
    return correctable(drawn, draws, sentAt, addShared);
  }

  const takeLocal = async (draws: readonly Draw[]) =>
    correctable(await local.take(draws), draws, Date.now(), (draw, amount) => void local.add(draw, amount));

  const isAvailable = () => redis.status === 'ready' && health.isUp() && Date.now() >= cooldownUntil;

  async function takeAvailable(draws: readonly Draw[]): Promise<Taken> {
    if (!isAvailable()) return takeLocal(draws);
    try {
      return await takeShared(draws);
    } catch {
      cooldownUntil = Date.now() + cooldownMs;
      const taken = await takeLocal(draws);
      // The draws were sent and may still count in Redis, so they are not sent again.
      for (const draw of draws) local.takeUnsynced(draw);
      return taken;
    }
  }

  return {
    take: async (draws) => withExhausted(await takeAvailable(draws), draws),
    drawnHere: local.standing,
    exhausted: (draw) => exhausted.get(draw),
    used: async (draws) =>
      isAvailable() ? withTimeout(shared.used(draws), timeoutMs).catch(() => undefined) : undefined,
    close: () => redis.disconnect(),
  };
}
