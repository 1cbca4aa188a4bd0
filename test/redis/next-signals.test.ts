import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as turnEnds } from 'node:timers/promises';
import { channel } from '../../src/domain/ids.ts';
import { createLog } from '../../src/log.ts';
import { createChannels } from '../../src/redis/channels.ts';
import { createNextSignals } from '../../src/redis/next-signals.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Longer than a test may take: what ends was ended. */
const long = 600_000;
const never = new AbortController().signal;

/** As an api or a worker has them, on a connection of its own. */
async function openNextSignals(times: Partial<Parameters<typeof createNextSignals>[2]> = {}) {
  const redis = openRedis(services.redisUrl, createLog('silent', 'test'));
  closing.push(redis.close);
  const { commands, subscriber } = redis;
  await Promise.all([commands, subscriber].map((one) => one.status === 'ready' || once(one, 'ready')));
  const nextSignals = createNextSignals(commands, createChannels(subscriber), {
    patience: long,
    thick: 0,
    blindly: long,
    ...times,
  });
  const isExpected = async (id: string) => Number((await commands.pubsub('NUMSUB', channel.nextSignal(id)))[1]) > 0;
  return { redis, nextSignals, isExpected };
}

test('a worker hears of the next signal to a workflow, and of no other, from another process', async () => {
  const [api, worker] = [await openNextSignals(), await openNextSignals()];
  const [one, another] = [randomUUID(), randomUUID()];
  const over: string[] = [];
  const waits = [one, another].map(async (id) => {
    await worker.nextSignals.expect(id).wait(never);
    over.push(id);
  });
  for (const id of [one, another]) await until(() => worker.isExpected(id));

  api.nextSignals.announce(one, 'signal');
  await waits[0];

  expect(over).toEqual([one]);
  api.nextSignals.announce(another, 'end');
  await waits[1];
});

test('an end that somebody waits for since the call ran is told at once, one that others only came before is not', async () => {
  const { nextSignals, isExpected } = await openNextSignals();
  const [waitedFor, other] = [randomUUID(), randomUUID()];
  const [next, nextOfOther] = [waitedFor, other].map((id) => nextSignals.expect(id));
  for (const id of [waitedFor, other]) await until(() => isExpected(id));

  nextSignals.announce(other, 'signal');
  nextSignals.announce(waitedFor, 'end');
  await next!.wait(never);
  // What was said of the other was heard before.
  const told: string[] = [];
  const otherWait = nextOfOther!.wait(never).then(() => told.push('other'));
  await turnEnds();

  expect(told).toEqual([]);
  nextSignals.announce(other, 'signal');
  await otherWait;
});

test('nobody waits for a signal that does not come', async () => {
  const { nextSignals } = await openNextSignals({ patience: 10 });

  await nextSignals.expect(randomUUID()).wait(never);
});

test('nor when stopped, before it waits or while it does', async () => {
  const { nextSignals, isExpected } = await openNextSignals();
  const stop = new AbortController();
  const id = randomUUID();
  const next = nextSignals.expect(id);
  const stopped = next.wait(stop.signal);
  await until(() => isExpected(id));

  stop.abort();

  await stopped;
  await next.wait(stop.signal);
});

test('nor where calls begin so close to each other that announcements do not help', async () => {
  const { nextSignals, isExpected } = await openNextSignals({ thick: long / 10, blindly: 10 });
  const ids = Array.from({ length: 40 }, randomUUID);
  const all = ids.map((id) => nextSignals.expect(id));

  await all.at(-1)!.wait(never);

  await until(() => isExpected(ids[0]!));
  expect(await isExpected(ids.at(-1)!)).toBe(false);
});

test('nor while Redis is away', async () => {
  const { redis, nextSignals } = await openNextSignals();
  await redis.close();

  nextSignals.announce(randomUUID(), 'signal');
  await nextSignals.expect(randomUUID()).wait(never);
});

test('nobody is listened for any more whose call was left', async () => {
  const { nextSignals, isExpected } = await openNextSignals();
  const id = randomUUID();
  const next = nextSignals.expect(id);
  await until(() => isExpected(id));

  next.leave();

  await until(async () => !(await isExpected(id)));
});
