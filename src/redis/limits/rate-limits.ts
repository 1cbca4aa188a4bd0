import type { RedisHealth } from '../health.ts';
import type { RedisConnections } from '../redis.ts';
import type { Counters, Draw, Drawn } from './counters.ts';
import { createLocalCounters } from './local-counters.ts';
import { createSharedCounters } from './shared-counters.ts';

export interface Taken extends Drawn {
  /**
   * Corrects a draw to what was really used, later. More than was taken counts now; less is given back only while the
   * window lasts that it was taken from. Never rejects: a correction that is lost is over within a window.
   */
  correct(draw: Draw, amount: number): void;
}

export interface RateLimits {
  /** All of the draws or none, shared by all processes while Redis is there, else by this one alone. */
  take(draws: readonly Draw[]): Promise<Taken>;
}

/** Longer than it takes `RedisHealth` to notice, so that a frozen Redis costs its command timeout once. */
const avoidMs = 2_000;

/** `installation` keeps those apart that share a Redis. */
export function createRateLimits(
  { commands }: RedisConnections,
  health: RedisHealth,
  installation: string,
): RateLimits {
  const shared = createSharedCounters(commands, installation);
  const local = createLocalCounters();
  let avoidUntil = 0;

  const takeFrom = async (counters: Counters, draws: readonly Draw[]): Promise<Taken> => {
    const drawn = await counters.take(draws);
    const endsAt = draws.map((_, index) => Date.now() + drawn.standings[index]!.resetMs);
    return {
      ...drawn,
      correct(draw, amount) {
        const isOver = Date.now() >= (endsAt[draws.indexOf(draw)] ?? 0);
        if (amount === 0 || (amount < 0 && isOver)) return;
        counters.add(draw, amount).catch(() => undefined);
      },
    };
  };

  return {
    async take(draws) {
      if (!health.isUp() || Date.now() < avoidUntil) return takeFrom(local, draws);
      try {
        return await takeFrom(shared, draws);
      } catch {
        avoidUntil = Date.now() + avoidMs;
        return takeFrom(local, draws);
      }
    },
  };
}
