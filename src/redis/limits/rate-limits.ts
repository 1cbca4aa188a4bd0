import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { LimitStanding } from '../../errors.ts';
import type { RedisHealth } from '../../liveness/redis-watch.ts';
import type { RedisConnections } from '../connection.ts';
import type { Draw, Drawn } from './counters.ts';
import { createExhaustedCounters } from './exhausted-counters.ts';
import { createLocalCounters } from './local-counters.ts';
import { createSharedCounters } from './shared-counters.ts';

export interface Taken extends Drawn {
  /**
   * Corrects a draw to what was really used, later. More than was taken counts now; less is given back only while the window
   * lasts that it was taken from. Never rejects: a lost correction is over within a window.
   */
  correct(draw: Draw, amount: number): void;
}

export interface RateLimits {
  /** All of the draws or none, shared by all processes while Redis is there, else by this one alone. */
  take(draws: readonly Draw[]): Promise<Taken>;
  /** How the draw's counter stands if it is known here to be used up until its window ends. Takes nothing, and no round trip. */
  exhausted(draw: Draw): LimitStanding | undefined;
  close(): void;
}

/** How long a frozen Redis holds up a request, once. */
const patienceMs = 300;
/** Longer than it takes `RedisHealth` to notice. */
const avoidMs = 2_000;

function correctable(drawn: Drawn, draws: readonly Draw[], add: (draw: Draw, amount: number) => void): Taken {
  const endsAt = new Map(draws.map((draw, index) => [draw, Date.now() + drawn.standings[index]!.resetMs]));
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
  { commands, reportDropped }: RedisConnections,
  health: RedisHealth,
  installation: string,
): RateLimits {
  // A connection of its own, with a timeout of its own: that of `commands` runs out while this process is merely busy.
  const redis = commands.duplicate({ commandTimeout: undefined, connectionName: 'job-gateway-limits' });
  redis.on('error', () => undefined);
  const shared = createSharedCounters(redis, installation, reportDropped);
  const local = createLocalCounters();
  const exhausted = createExhaustedCounters();
  let avoidUntil = 0;

  const addShared = (draw: Draw, amount: number) => {
    shared.add(draw, amount).catch(() => undefined);
    local.note(draw, amount);
  };

  function withExhausted(taken: Taken, draws: readonly Draw[]): Taken {
    for (const [index, draw] of draws.entries()) exhausted.note(draw, taken.standings[index]!);
    return {
      ...taken,
      correct(draw, amount) {
        if (amount < 0) exhausted.delete(draw);
        taken.correct(draw, amount);
      },
    };
  }

  /** Redis is first told what was let through while it was away. What Redis lets through is counted here too, for when it goes away. */
  async function takeShared(draws: readonly Draw[]): Promise<Taken> {
    for (const draw of draws) {
      const owed = local.takeOwed(draw);
      if (owed > 0) shared.add(draw, owed).catch(() => undefined);
    }
    const drawn = await withTimeout(shared.take(draws), patienceMs);
    if (drawn.refusedBy === undefined) for (const draw of draws) local.note(draw, draw.cost);
    return correctable(drawn, draws, addShared);
  }

  const takeLocal = async (draws: readonly Draw[]) =>
    correctable(await local.take(draws), draws, (draw, amount) => void local.add(draw, amount));

  async function takeAvailable(draws: readonly Draw[]): Promise<Taken> {
    const isThere = redis.status === 'ready' && health.isUp() && Date.now() >= avoidUntil;
    if (!isThere) return takeLocal(draws);
    try {
      return await takeShared(draws);
    } catch {
      avoidUntil = Date.now() + avoidMs;
      const taken = await takeLocal(draws);
      // The draws were sent, and may still count in Redis: once is enough.
      for (const draw of draws) local.takeOwed(draw);
      return taken;
    }
  }

  return {
    take: async (draws) => withExhausted(await takeAvailable(draws), draws),
    exhausted: (draw) => exhausted.get(draw),
    close: () => redis.disconnect(),
  };
}
