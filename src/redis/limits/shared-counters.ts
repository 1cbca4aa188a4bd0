import type { Redis } from 'ioredis';
import type { ReportDropped } from '../connection.ts';
import type { Counters, LimitUse, TakeResult } from './counters.ts';

/**
 * Returns what was taken of a counter and the remaining milliseconds of its window, negative without one. A counter that this
 * service did not write is deleted and counts as 0: another type, a value that is no plain number, or a key without an expiry,
 * which would refuse for ever.
 */
const readCounter = `
local deleted = 0
local function read_counter(key)
  local value, ttl = redis.pcall('get', key), redis.call('pttl', key)
  if value == false then return 0, ttl end
  if type(value) == 'string' and #value <= 15 and string.find(value, '^%d+$') and ttl >= 0 then
    return tonumber(value), ttl
  end
  redis.call('del', key)
  deleted = deleted + 1
  return 0, -2
end`;

/**
 * A counter in its current window, by `LimitUse.maxWindows` (0: none). What is above the limit counts in the windows after it: the key has
 * the sum of all, and expires with the last of them. So the time that is left shows how many have ended since it was written.
 */
const windows = `${readCounter}
local function read_window(key, limit, window, most)
  local used, left = read_counter(key)
  if left < 0 then return 0, window end
  if most == 0 then return used, left end
  left = math.max(1, left)
  local further = math.floor((left - 1) / window)
  local ended = math.max(0, math.ceil(used / limit) - 1 - further)
  return math.max(0, used - ended * limit), left - further * window
end
local function write_window(key, used, left, limit, window, most)
  if most > 0 then
    used = math.min(used, most * limit)
    left = left + math.max(0, math.ceil(used / limit) - 1) * window
  end
  redis.call('set', key, string.format('%d', used), 'px', string.format('%d', math.max(1, left)))
end`;

/**
 * Reads every counter before it takes of any. Arguments, for each: the cost, the limit, the length of a window, and how many it may
 * count in. Returns the number of the use that was refused (0: none), how many counters were deleted, then for each counter what is used and
 * the remaining milliseconds of its window.
 */
const takeScript = `${windows}
local result = {0}
for i, key in ipairs(KEYS) do
  local cost, limit, window, most = unpack(ARGV, 4 * i - 3, 4 * i)
  local used, left = read_window(key, tonumber(limit), tonumber(window), tonumber(most))
  if result[1] == 0 and used + cost > tonumber(limit) then result[1] = i end
  result[2 * i + 1] = used
  result[2 * i + 2] = left
end
result[2] = deleted
if result[1] > 0 then return result end
for i, key in ipairs(KEYS) do
  local cost, limit, window, most = unpack(ARGV, 4 * i - 3, 4 * i)
  local used = result[2 * i + 1] + cost
  write_window(key, used, result[2 * i + 2], tonumber(limit), tonumber(window), tonumber(most))
  result[2 * i + 1] = used
end
return result`;

/** Adds to one counter, which never falls below 0. The arguments are those of `takeScript`. It returns how many were deleted. */
const addScript = `${windows}
local amount, limit, window, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local used, left = read_window(KEYS[1], limit, window, most)
local after = math.max(0, used + amount)
if after ~= used then write_window(KEYS[1], after, left, limit, window, most) end
return deleted`;

/** Returns what is used of each counter. The arguments are those of `takeScript`. */
const usedScript = `${windows}
local result = {}
for i, key in ipairs(KEYS) do
  local _, limit, window, most = unpack(ARGV, 4 * i - 3, 4 * i)
  result[i] = read_window(key, tonumber(limit), tonumber(window), tonumber(most))
end
return result`;

interface Scripts {
  takeFromLimits(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  addToLimit(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  usedOfLimits(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** The result of the script for these uses. Throws for anything else. */
function parseReply(reply: unknown, uses: readonly LimitUse[]): TakeResult & { deleted: number } {
  const isReply = Array.isArray(reply) && reply.length === 2 + 2 * uses.length && reply.every(Number.isSafeInteger);
  if (!isReply) throw new Error('redis: the limit script did not return a number for each use');
  const [refused = 0, deleted = 0, ...pairs] = reply as number[];
  return {
    deleted,
    refusedBy: refused ? refused - 1 : undefined,
    states: uses.map(({ limit }, index) => ({
      limit,
      remaining: Math.max(0, limit - pairs[2 * index]!),
      resetMs: pairs[2 * index + 1]!,
    })),
  };
}

export interface SharedCounters extends Counters {
  /** What is used of each counter in its current window. Takes nothing. */
  used(uses: readonly LimitUse[]): Promise<number[]>;
}

/** The limits that all processes of an installation share: one round trip for any number of counters. Rejects when Redis is unavailable. */
export function createSharedCounters(redis: Redis, installation: string, reportDropped: ReportDropped): SharedCounters {
  const prefix = `limit:${installation}:`;
  const redisKey = ({ key }: LimitUse) => `${prefix}${key}`;
  const toArguments = ({ limit, windowMs, maxWindows = 0 }: LimitUse, amount: number) => [
    amount,
    limit,
    windowMs,
    maxWindows,
  ];
  redis.defineCommand('takeFromLimits', { lua: takeScript });
  redis.defineCommand('addToLimit', { lua: addScript });
  redis.defineCommand('usedOfLimits', { lua: usedScript });
  const scripts = redis as Redis & Scripts;

  return {
    async take(uses) {
      const reply = await scripts.takeFromLimits(
        uses.length,
        ...uses.map(redisKey),
        ...uses.flatMap((use) => toArguments(use, use.cost)),
      );
      const { deleted, ...result } = parseReply(reply, uses);
      if (deleted > 0) reportDropped(prefix);
      return result;
    },
    async add(use, amount) {
      const deleted = await scripts.addToLimit(1, redisKey(use), ...toArguments(use, amount));
      if (deleted) reportDropped(prefix);
    },
    async used(uses) {
      if (uses.length === 0) return [];
      const values = await scripts.usedOfLimits(
        uses.length,
        ...uses.map(redisKey),
        ...uses.flatMap((use) => toArguments(use, 0)),
      );
      return (values as number[]).map(Number);
    },
  };
}
