import type { Redis } from 'ioredis';
import type { ReportDropped } from '../dropped-messages.ts';
import type { Counters, Draw, Drawn } from './counters.ts';

/**
 * Returns what was taken of a counter and the milliseconds left of its window, negative without one. A counter that this service
 * did not write is removed and counts as none: another type, a value that is no plain number, or a key that never expires, which
 * would refuse for ever.
 */
const readCounter = `
local removed = 0
local function read_counter(key)
  local value, left = redis.pcall('get', key), redis.call('pttl', key)
  if value == false then return 0, left end
  if type(value) == 'string' and #value <= 15 and string.find(value, '^%d+$') and left >= 0 then
    return tonumber(value), left
  end
  redis.call('del', key)
  removed = removed + 1
  return 0, -2
end`;

/**
 * Reads every counter before it takes of any. Returns which refused (0: none), how many were removed, then used and milliseconds
 * left of each.
 */
export const takeScript = `${readCounter}
local result = {0}
for i, key in ipairs(KEYS) do
  local cost, limit = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  local used, left = read_counter(key)
  if result[1] == 0 and used + cost > limit then result[1] = i end
  result[2 * i + 1] = used
  result[2 * i + 2] = left
end
result[2] = removed
for i, key in ipairs(KEYS) do
  if result[1] == 0 then
    result[2 * i + 1] = redis.call('incrby', key, ARGV[3 * i - 2])
    if result[2 * i + 2] < 0 then redis.call('pexpire', key, ARGV[3 * i]) end
  end
  if result[2 * i + 2] < 0 then result[2 * i + 2] = tonumber(ARGV[3 * i]) end
end
return result`;

/** Adds to one counter, never below nothing. Returns how many were removed. */
export const addScript = `${readCounter}
local key = KEYS[1]
local used = read_counter(key)
local amount = math.max(tonumber(ARGV[1]), -used)
if amount == 0 then return removed end
redis.call('incrby', key, string.format('%d', amount))
if redis.call('pttl', key) < 0 then redis.call('pexpire', key, ARGV[2]) end
return removed`;

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
