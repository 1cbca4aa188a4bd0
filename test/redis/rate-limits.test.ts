import { randomUUID } from 'node:crypto';
import { createLog } from '../../src/log.ts';
import type { LimitUse } from '../../src/redis/limits/counters.ts';
import { createLocalCounters } from '../../src/redis/limits/local-counters.ts';
import { createRateLimits } from '../../src/redis/limits/rate-limits.ts';
import { watchRedis } from '../../src/redis/watch-redis.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

async function openLimits(url = services.redisUrl) {
  const redis = await openReadyRedis(closing, url);
  const health = await watchRedis(redis, createLog('silent', 'test'));
  const limits = createRateLimits(redis, health, 'test');
  closing.push(health.close, limits.close);
  // Until its own connection is ready, it uses its local counters.
  const probe = use(1, 1_000_000);
  await until(async () => {
    await limits.take([probe]);
    return (await redis.commands.exists(`limit:test:${probe.key}`)) === 1;
  });
  return limits;
}

const use = (cost: number, limit: number, key: string = randomUUID()): LimitUse => ({
  key,
  cost,
  limit,
  windowMs: 60_000,
});

test('of a hundred requests at once to two processes, the limit of sixty permits sixty (spec 9.4)', async () => {
  const [one, other] = [await openLimits(), await openLimits()];
  const call = use(1, 60);

  const taken = await Promise.all(Array.from({ length: 100 }, (_, index) => (index % 2 ? one : other).take([call])));

  expect(taken.filter(({ refusedBy }) => refusedBy === undefined)).toHaveLength(60);
  expect((await one.take([call])).states).toEqual([{ limit: 60, remaining: 0, resetMs: expect.any(Number) }]);
});

test('a request that one counter refuses takes nothing of any', async () => {
  const limits = await openLimits();
  const call = use(1, 60);
  const tokens = use(800, 1_000);

  await limits.take([call, tokens]);
  const refused = await limits.take([call, tokens]);

  expect(refused.refusedBy).toBe(1);
  expect(refused.states).toMatchObject([{ remaining: 59 }, { remaining: 200 }]);
});

test('a correction counts what was really used and returns the rest, never more than was taken', async () => {
  const limits = await openLimits();
  const tokens = use(500, 1_000);
  const remaining = async () => (await limits.take([{ ...tokens, cost: 0 }])).states[0]!.remaining;
  const taken = await limits.take([tokens]);

  taken.correct(tokens, -400);
  expect(await remaining()).toBe(900);
  taken.correct(tokens, +700);
  expect(await remaining()).toBe(200);
  taken.correct(tokens, -5_000);
  expect(await remaining()).toBe(1_000);
});

test('a frozen Redis delays one request, then the process limits alone, from what was taken before (spec 9.4)', async () => {
  const proxy = await startFreezingProxy(new URL(services.redisUrl));
  closing.push(proxy.close);
  const limits = await openLimits(proxy.url);
  const call = use(1, 4);
  await limits.take([call]);
  proxy.freeze();

  const startedAt = performance.now();
  await Promise.all([limits.take([call]), limits.take([call])]);
  const firstMs = performance.now() - startedAt;
  const later = [await limits.take([call]), await limits.take([call])];

  expect(firstMs).toBeGreaterThan(200);
  expect(firstMs).toBeLessThan(1_000);
  expect(performance.now() - startedAt - firstMs).toBeLessThan(firstMs);
  expect(later.map(({ refusedBy }) => refusedBy)).toEqual([undefined, 0]);
});

test('a process that was busy for a while still uses Redis', async () => {
  const limits = await openLimits();
  const call = use(1, 100);

  const taking = limits.take([call]);
  const busyUntil = performance.now() + 500;
  while (performance.now() < busyUntil);

  expect((await taking).states[0]).toMatchObject({ remaining: 99 });
  expect((await (await openLimits()).take([call])).states[0]).toMatchObject({ remaining: 98 });
});

test('what was taken while Redis was down counts when Redis is up again', async () => {
  const redis = await openReadyRedis(closing);
  let isUp = true;
  const limits = createRateLimits(redis, { isUp: () => isUp, downMs: () => 0, close: () => undefined }, 'test');
  closing.push(limits.close);
  const other = await openLimits();
  const [tokens, probe] = [use(100, 1_000), use(1, 1_000_000)];
  await until(async () => {
    await limits.take([probe]);
    return (await redis.commands.exists(`limit:test:${probe.key}`)) === 1;
  });

  isUp = false;
  const taken = await limits.take([tokens]);
  await limits.take([tokens]);
  taken.correct(tokens, -60);
  isUp = true;
  await limits.take([tokens]);

  expect((await other.take([{ ...tokens, cost: 0 }])).states[0]).toMatchObject({ remaining: 1_000 - 240 });
});

test('no more is returned to a local window than was taken of it', async () => {
  const counters = createLocalCounters();
  const call = use(1, 1);
  await counters.take([call]);

  await counters.add(call, -5);

  expect((await counters.take([call])).refusedBy).toBeUndefined();
  expect((await counters.take([call])).refusedBy).toBe(0);
});

test('a local window ends, and the next one is empty', async () => {
  let now = 0;
  const counters = createLocalCounters(() => now);
  const call = use(1, 1);
  await counters.take([call]);

  expect((await counters.take([call])).refusedBy).toBe(0);
  now = 60_000;
  expect((await counters.take([call])).refusedBy).toBeUndefined();
});

test('a shared window ends, however often it is used', async () => {
  const limits = await openLimits();
  const call = { ...use(1, 10_000), windowMs: 300 };
  const remaining = async () => (await limits.take([call])).states[0]!.remaining;
  await remaining();

  await until(remaining, (left) => left === 9_999);
});

test('what was taken in an ended window is not returned to the next window', async () => {
  const limits = await openLimits();
  const tokens = { ...use(900, 1_000), windowMs: 50 };
  const taken = await limits.take([tokens]);
  // The look that finds it ended begins the next one.
  const look = { ...tokens, cost: 0, windowMs: 60_000 };
  const isOver = async () => (await limits.take([look])).states[0]!.remaining === 1_000;
  while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 10));
  const next = await limits.take([{ ...tokens, windowMs: 60_000 }]);

  taken.correct(tokens, -900);
  taken.correct(tokens, +50);

  expect(next.states[0]!.remaining).toBe(100);
  expect((await limits.take([{ ...tokens, cost: 0 }])).states[0]!.remaining).toBe(50);
});

const tokensOf = (limit: number): LimitUse => ({ ...use(0, limit), maxWindows: 60 });

/** What remains after an amount was added to a counter of 1,000, and after so many windows, each with the milliseconds of its window. */
const carried: [amount: number, remaining: number[]][] = [
  [900, [100, 1_000]],
  [1_000, [0, 1_000]],
  [1_300, [0, 700, 1_000]],
  [3_500, [0, 0, 0, 500, 1_000]],
];

test.each(carried)(
  'of %d tokens above a limit of 1,000, each window of a process makes up for 1,000',
  async (amount, expected) => {
    let now = 0;
    const counters = createLocalCounters(() => now);
    const tokens = tokensOf(1_000);
    await counters.add(tokens, amount);

    const found = [];
    for (const _ of expected) {
      found.push(counters.state(tokens).remaining);
      now += 60_000;
    }

    expect(found).toEqual(expected);
  },
);

test.each(carried)(
  'of %d tokens above a limit of 1,000, each shared window makes up for 1,000 (spec 9.1)',
  async (amount, expected) => {
    const limits = await openLimits();
    const { commands } = await openReadyRedis(closing);
    const tokens = tokensOf(1_000);
    (await limits.take([tokens])).correct(tokens, amount);

    const found = [];
    for (const _ of expected) {
      found.push((await limits.take([tokens])).states[0]!);
      const leftMs = await commands.pttl(`limit:test:${tokens.key}`);
      await commands.pexpire(`limit:test:${tokens.key}`, Math.max(1, leftMs - 60_000));
      if (leftMs <= 60_000) await until(async () => (await commands.exists(`limit:test:${tokens.key}`)) === 0);
    }

    expect(found.map(({ remaining }) => remaining)).toEqual(expected);
    for (const { resetMs } of found) expect(resetMs).toBeLessThanOrEqual(60_000);
  },
);

test('tokens that are returned reduce what is carried over, and so does the use that follows in a later window', async () => {
  let now = 0;
  const counters = createLocalCounters(() => now);
  const tokens = tokensOf(1_000);
  await counters.add(tokens, 2_500);
  await counters.add(tokens, -700);

  now += 60_000;
  const taken = await counters.take([{ ...tokens, cost: 200 }]);
  const refused = await counters.take([{ ...tokens, cost: 1 }]);
  now += 60_000;

  expect(taken).toMatchObject({ refusedBy: undefined, states: [{ remaining: 0, resetMs: 60_000 }] });
  expect(refused.refusedBy).toBe(0);
  expect(counters.state(tokens).remaining).toBe(1_000);
});

test('a use in a window with carried tokens is added to them, in Redis', async () => {
  const limits = await openLimits();
  const { commands } = await openReadyRedis(closing);
  const tokens = tokensOf(1_000);
  (await limits.take([tokens])).correct(tokens, 1_800);
  await until(async () => (await limits.used([tokens]))![0] === 1_800);
  await commands.pexpire(`limit:test:${tokens.key}`, 60_000);

  const taken = await limits.take([{ ...tokens, cost: 200 }]);
  const refused = await limits.take([{ ...tokens, cost: 1 }]);

  expect(taken).toMatchObject({ refusedBy: undefined, states: [{ remaining: 0 }] });
  expect(refused.refusedBy).toBe(0);
  expect(await limits.used([tokens])).toEqual([1_000]);
});

test('more than sixty limits are forgotten, in Redis and without it (spec 9.1)', async () => {
  const limits = await openLimits();
  const { commands } = await openReadyRedis(closing);
  let now = 0;
  const local = createLocalCounters(() => now);
  const tokens = tokensOf(1_000);
  await local.add(tokens, 10_000_000);
  (await limits.take([tokens])).correct(tokens, 10_000_000);

  await until(async () => (await limits.used([tokens]))![0] === 60_000);
  expect(await commands.pttl(`limit:test:${tokens.key}`)).toBeLessThanOrEqual(3_600_000);
  now = 59 * 60_000;
  expect(local.state(tokens).remaining).toBe(0);
  now = 60 * 60_000;
  expect(local.state(tokens).remaining).toBe(1_000);
});

test('a counter that ends with its window does so, whatever was added', async () => {
  const limits = await openLimits();
  const { commands } = await openReadyRedis(closing);
  const call = use(0, 10);

  (await limits.take([call])).correct(call, 1_000);

  await until(async () => (await limits.used([call]))![0] === 1_000);
  expect(await commands.pttl(`limit:test:${call.key}`)).toBeLessThanOrEqual(60_000);
});

test('what was overdrawn without Redis counts in Redis once, in whatever window it is up again', async () => {
  let now = 0;
  const counters = createLocalCounters(() => now);
  const tokens = tokensOf(1_000);
  await counters.add(tokens, 2_500);

  now += 60_000;

  expect(counters.takeUnsynced(tokens)).toBe(1_500);
  expect(counters.takeUnsynced(tokens)).toBe(0);
  expect(counters.state(tokens).remaining).toBe(0);
});

test.each([
  ['text', ['set', 'KEY', 'x', 'PX', '60000']],
  ['a number in another notation', ['set', 'KEY', '0x10', 'PX', '60000']],
  ['a huge number', ['set', 'KEY', '9'.repeat(400), 'PX', '60000']],
  ['infinity', ['set', 'KEY', 'inf', 'PX', '60000']],
  ['less than nothing', ['set', 'KEY', '-1000000', 'PX', '60000']],
  ['a fraction', ['set', 'KEY', '1.5', 'PX', '60000']],
  ['a list', ['rpush', 'KEY', 'x']],
  ['a number that never expires', ['set', 'KEY', '9999']],
])('a counter that others have set to %s counts as 0, and is shared from then on', async (_, args) => {
  const [one, other] = [await openLimits(), await openLimits()];
  const [call, tokens] = [use(1, 60), use(500, 1_000)];
  const { commands } = await openReadyRedis(closing);
  const [command, ...rest] = args.map((arg) => arg.replace('KEY', `limit:test:${call.key}`));
  await commands.call(command!, ...rest);

  const taken = await one.take([call, tokens]);

  expect(taken).toMatchObject({ refusedBy: undefined, states: [{ remaining: 59 }, { remaining: 500 }] });
  expect((await other.take([call, tokens])).states).toMatchObject([{ remaining: 58 }, { remaining: 0 }]);
  expect(await commands.pttl(`limit:test:${call.key}`)).toBeGreaterThan(0);
});
