import type { Redis } from 'ioredis';
import type { Counters, Draw } from './counters.ts';

/** Looks at every counter before it takes of any. Returns which refused (0: none), then used and milliseconds left of each. */
const takeScript = `
local result = {0}
for i, key in ipairs(KEYS) do
  local cost, limit = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  local used = tonumber(redis.call('get', key) or 0)
  if result[1] == 0 and used + cost > limit then result[1] = i end
  result[2 * i] = used
  result[2 * i + 1] = redis.call('pttl', key)
end
for i, key in ipairs(KEYS) do
  if result[1] == 0 then
    result[2 * i] = redis.call('incrby', key, ARGV[3 * i - 2])
    if result[2 * i + 1] < 0 then redis.call('pexpire', key, ARGV[3 * i]) end
  end
  if result[2 * i + 1] < 0 then result[2 * i + 1] = tonumber(ARGV[3 * i]) end
end
return result`;

const addScript = `
local used = tonumber(redis.call('get', KEYS[1]) or 0)
local amount = math.max(tonumber(ARGV[1]), -used)
if amount == 0 then return end
redis.call('incrby', KEYS[1], string.format('%d', amount))
if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end`;

interface Scripts {
  takeFromLimits(keys: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
  addToLimit(keys: number, ...keysAndArguments: (string | number)[]): Promise<null>;
}

/**
 * The limits that all processes of an installation share: one round trip for any number of counters. Rejects when Redis is away.
 */
export function createSharedCounters(redis: Redis, installation: string): Counters {
  const keyOf = ({ key }: Draw) => `limit:${installation}:${key}`;
  redis.defineCommand('takeFromLimits', { lua: takeScript });
  redis.defineCommand('addToLimit', { lua: addScript });
  const scripts = redis as Redis & Scripts;

  return {
    async take(draws) {
      const [refused, ...pairs] = await scripts.takeFromLimits(
        draws.length,
        ...draws.map(keyOf),
        ...draws.flatMap(({ cost, limit, windowMs }) => [cost, limit, windowMs]),
      );
      return {
        refusedBy: refused ? refused - 1 : undefined,
        standings: draws.map(({ limit }, index) => ({
          limit,
          remaining: Math.max(0, limit - pairs[2 * index]!),
          resetMs: pairs[2 * index + 1]!,
        })),
      };
    },
    async add(draw, amount) {
      await scripts.addToLimit(1, keyOf(draw), amount, draw.windowMs);
    },
  };
}
