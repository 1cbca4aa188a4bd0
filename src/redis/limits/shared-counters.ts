import type { Redis } from 'ioredis';
import type { ReportDropped } from '../dropped-messages.ts';
import type { Counters, Draw, Drawn } from './counters.ts';
import { addScript, takeScript } from './limit-scripts.ts';

interface Scripts {
  takeFromLimits(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  addToLimit(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** What the script returns for these draws; throws for anything else. */
function readReply(reply: unknown, draws: readonly Draw[]): Drawn & { removed: number } {
  const isReply = Array.isArray(reply) && reply.length === 2 + 2 * draws.length && reply.every(Number.isSafeInteger);
  if (!isReply) throw new Error('the counters did not return a number for each draw');
  const [refused = 0, removed = 0, ...pairs] = reply as number[];
  return {
    removed,
    refusedBy: refused ? refused - 1 : undefined,
    standings: draws.map(({ limit }, index) => ({
      limit,
      remaining: Math.max(0, limit - pairs[2 * index]!),
      resetMs: pairs[2 * index + 1]!,
    })),
  };
}

/**
 * The limits that all processes of an installation share: one round trip for any number of counters. Rejects when Redis is away.
 */
export function createSharedCounters(redis: Redis, installation: string, reportDropped: ReportDropped): Counters {
  const prefix = `limit:${installation}:`;
  const keyOf = ({ key }: Draw) => `${prefix}${key}`;
  redis.defineCommand('takeFromLimits', { lua: takeScript });
  redis.defineCommand('addToLimit', { lua: addScript });
  const scripts = redis as Redis & Scripts;

  return {
    async take(draws) {
      const reply = await scripts.takeFromLimits(
        draws.length,
        ...draws.map(keyOf),
        ...draws.flatMap(({ cost, limit, windowMs }) => [cost, limit, windowMs]),
      );
      const { removed, ...drawn } = readReply(reply, draws);
      if (removed > 0) reportDropped(prefix);
      return drawn;
    },
    async add(draw, amount) {
      const removed = await scripts.addToLimit(1, keyOf(draw), amount, draw.windowMs);
      if (removed) reportDropped(prefix);
    },
  };
}
