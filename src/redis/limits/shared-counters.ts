import type { Redis } from 'ioredis';
import type { ReportDropped } from '../connection.ts';
import type { Counters, Draw, Drawn } from './counters.ts';

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
 * Reads every counter before it takes of any. Returns the number of the draw that was refused (0: none), how many counters were
 * deleted, then for each counter what is used and the remaining milliseconds.
 */
const takeScript = `${readCounter}
local result = {0}
for i, key in ipairs(KEYS) do
  local cost, limit = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  local used, ttl = read_counter(key)
  if result[1] == 0 and used + cost > limit then result[1] = i end
  result[2 * i + 1] = used
  result[2 * i + 2] = ttl
end
result[2] = deleted
for i, key in ipairs(KEYS) do
  if result[1] == 0 then
    result[2 * i + 1] = redis.call('incrby', key, ARGV[3 * i - 2])
    if result[2 * i + 2] < 0 then redis.call('pexpire', key, ARGV[3 * i]) end
  end
  if result[2 * i + 2] < 0 then result[2 * i + 2] = tonumber(ARGV[3 * i]) end
end
return result`;

/**
 * Adds to one counter, which never falls below 0, and prolongs its window as `prolongedBy` does. Returns how many were deleted.
 * Arguments: the amount, the limit, the length of the window, and how long it may last.
 */
const addScript = `${readCounter}
local key = KEYS[1]
local used, left = read_counter(key)
local limit, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local amount = math.max(tonumber(ARGV[1]), -used)
if amount == 0 then return deleted end
redis.call('incrby', key, string.format('%d', amount))
local ends = left
if left < 0 then ends = window end
if ARGV[4] ~= '' then
  ends = ends + window * (math.max(used + amount, limit) - math.max(used, limit)) / limit
  ends = math.max(1, math.min(ends, tonumber(ARGV[4])))
end
if ends ~= left then redis.call('pexpire', key, string.format('%d', ends)) end
return deleted`;

interface Scripts {
  takeFromLimits(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  addToLimit(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** The result of the script for these draws. Throws for anything else. */
function parseReply(reply: unknown, draws: readonly Draw[]): Drawn & { deleted: number } {
  const isReply = Array.isArray(reply) && reply.length === 2 + 2 * draws.length && reply.every(Number.isSafeInteger);
  if (!isReply) throw new Error('redis: the limit script did not return a number for each draw');
  const [refused = 0, deleted = 0, ...pairs] = reply as number[];
  return {
    deleted,
    refusedBy: refused ? refused - 1 : undefined,
    standings: draws.map(({ limit }, index) => ({
      limit,
      remaining: Math.max(0, limit - pairs[2 * index]!),
      resetMs: pairs[2 * index + 1]!,
    })),
  };
}

export interface SharedCounters extends Counters {
  /** What is used of each counter in its current window. Takes nothing. */
  used(draws: readonly Draw[]): Promise<number[]>;
}

/** The limits that all processes of an installation share: one round trip for any number of counters. Rejects when Redis is unavailable. */
export function createSharedCounters(redis: Redis, installation: string, reportDropped: ReportDropped): SharedCounters {
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
      const { deleted, ...drawn } = parseReply(reply, draws);
      if (deleted > 0) reportDropped(prefix);
      return drawn;
    },
    async add(draw, amount) {
      const deleted = await scripts.addToLimit(
        1,
        keyOf(draw),
        amount,
        draw.limit,
        draw.windowMs,
        draw.maxWindowMs ?? '',
      );
      if (deleted) reportDropped(prefix);
    },
    async used(draws) {
      if (draws.length === 0) return [];
      const values = await redis.mget(draws.map(keyOf));
      return values.map((value) => (/^\d{1,15}$/.test(value ?? '') ? Number(value) : 0));
    },
  };
}
